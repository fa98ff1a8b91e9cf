package dev.fakegpu.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.Node;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The explanation of each {@code src/test/resources/golden/explain/<case>/in.yaml} must be {@code out.txt}: the reason, then the
 * sentence. An input holds API objects; claims with an allocation hold their devices, the others are explained. A first document of
 * kind {@code Options} may set {@code gate} and {@code nodes}. {@code -Dgolden.update=true} writes the outputs anew and fails.
 */
class ExplainerGoldenTest {

    private static final Path CASES = Path.of("src/test/resources/golden/explain");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Selectors SELECTORS = new Selectors();

    @TestFactory
    Stream<DynamicTest> explainsAsWritten() throws IOException {
        List<Path> cases;
        try (Stream<Path> directories = Files.list(CASES)) {
            cases = directories.sorted().toList();
        }
        assertThat(cases).isNotEmpty();
        return cases.stream()
                .map(directory ->
                        DynamicTest.dynamicTest(directory.getFileName().toString(), () -> check(directory)));
    }

    private static void check(Path directory) throws IOException {
        Cluster cluster = Cluster.read(directory.resolve("in.yaml"));

        Explanation explanation = cluster.explain();

        assertThat(explanation.sentence()).hasSizeLessThanOrEqualTo(Explanation.MAX_SENTENCE);
        String actual = explanation.reason() + "\n" + explanation.sentence() + "\n";
        Path expected = directory.resolve("out.txt");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(expected, actual);
            throw new AssertionError("wrote " + expected + "; read it and run again without -Dgolden.update");
        }
        assertThat(actual).isEqualTo(Files.readString(expected));
    }

    private static final class Cluster {
        private Gate gate = Gate.ON;
        private List<Node> nodes = List.of(new Node("node-1", Map.of()));
        private final List<Slice> slices = new ArrayList<>();
        private final Map<String, DeviceClass> classes = new LinkedHashMap<>();
        private final List<AllocatedDevice> allocated = new ArrayList<>();
        private final List<Claim> claims = new ArrayList<>();

        static Cluster read(Path file) throws IOException {
            var cluster = new Cluster();
            try (MappingIterator<JsonNode> documents =
                    YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
                while (documents.hasNext()) {
                    cluster.add(documents.next());
                }
            }
            return cluster;
        }

        private void add(JsonNode document) throws IOException {
            switch (document.get("kind").asText()) {
                case "Options" -> options(document);
                case "ResourceSlice" -> slices.add(SliceReader.read(YAML.treeToValue(document, ResourceSlice.class)));
                case "DeviceClass" -> {
                    DeviceClass read = ClaimReader.read(
                            YAML.treeToValue(document, io.fabric8.kubernetes.api.model.resource.v1.DeviceClass.class));
                    classes.put(read.name(), read);
                }
                case "ResourceClaim" -> claim(YAML.treeToValue(document, ResourceClaim.class));
                default -> throw new IllegalArgumentException("unknown kind in " + document);
            }
        }

        private void options(JsonNode options) {
            gate = Gate.valueOf(options.path("gate").asText("ON"));
            var names = new ArrayList<Node>();
            options.path("nodes").forEach(name -> names.add(new Node(name.asText(), Map.of())));
            if (!names.isEmpty()) {
                nodes = names;
            }
        }

        private void claim(ResourceClaim claim) {
            var metadata = claim.getMetadata();
            metadata.setNamespace("default");
            metadata.setUid(metadata.getName());
            if (Allocations.isAllocated(claim)) {
                Allocations.devices(claim)
                        .forEach(device -> allocated.add(new AllocatedDevice(device, ClaimReader.ref(claim), null)));
            } else {
                claims.add(ClaimReader.read(claim));
            }
        }

        Explanation explain() {
            var options = new AllocatorOptions(gate, GroupPolicy.SNAPSHOT, List.of());
            return new Explainer(new ClusterState(slices, classes, allocated), SELECTORS, options)
                    .explain(nodes, claims);
        }
    }
}
