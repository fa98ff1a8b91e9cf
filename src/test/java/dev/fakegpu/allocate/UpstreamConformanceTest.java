package dev.fakegpu.allocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Upstream's own table of allocator cases, as data outside of this project: set {@code -Dfakegpu.conformance} to where it is. Runs
 * those that stay within what this allocator does and says which it leaves out.
 */
class UpstreamConformanceTest {

    private static final Path CASES =
            Path.of(System.getProperty("fakegpu.conformance", "../shared/conformance"), "allocator");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Selectors SELECTORS = new Selectors();

    @TestFactory
    Stream<DynamicTest> sameAnswerAsUpstream() throws IOException {
        assumeTrue(Files.isDirectory(CASES), "no conformance cases in " + CASES.toAbsolutePath());
        List<JsonNode> cases;
        try (Stream<Path> files = Files.list(CASES)) {
            cases = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(UpstreamConformanceTest::read)
                    .toList();
        }
        var leftOut = new TreeMap<String, Integer>();
        cases.forEach(test -> whyLeftOut(test).ifPresent(why -> leftOut.merge(why, 1, Integer::sum)));
        int run = cases.size() - leftOut.values().stream().mapToInt(n -> n).sum();
        System.out.println("Conformance: " + run + " of " + cases.size() + " cases run; left out: " + leftOut);
        return cases.stream()
                .filter(test -> whyLeftOut(test).isEmpty())
                .map(test -> DynamicTest.dynamicTest(test.get("name").asText(), () -> check(test)));
    }

    private static JsonNode read(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<String> whyLeftOut(JsonNode test) {
        if (test.path("suite").asText().equals("interrupt")
                && !test.path("context").path("mode").asText("off").equals("off")) {
            return Optional.of("cancellation");
        }
        for (String key : List.of("shared", "capacity")) {
            if (!test.path("state").path(key).isEmpty()) {
                return Optional.of("shares of devices");
            }
        }
        for (String field : List.of(
                "perDeviceNodeSelection",
                "bindingConditions",
                "bindsToNode",
                "allowMultipleAllocations",
                "skipNodeOperations",
                "ints",
                "bools",
                "strings",
                "versions")) {
            if (test.path("slices").findValue(field) != null) {
                return Optional.of("slice field " + field);
            }
        }
        if (!hasFeature(test, "PartitionableDevices") && test.path("slices").findValue("consumesCounters") != null) {
            return Optional.of("PartitionableDevices off");
        }
        if (!hasFeature(test, "DeviceTaints") && test.path("slices").findValue("taints") != null) {
            return Optional.of("DeviceTaints off");
        }
        return claims(test).stream()
                .flatMap(claim -> claim.unsupported().stream())
                .findFirst()
                .map(what -> what.replaceAll("request \"[^\"]*\" uses", "requests with")
                        .replace("the claim uses", "claims with"));
    }

    private static boolean hasFeature(JsonNode test, String feature) {
        return elements(test.path("features")).anyMatch(value -> value.asText().equals(feature));
    }

    private static void check(JsonNode test) throws IOException {
        Gate gate = hasFeature(test, "CompatibilityGroups") ? Gate.ON : Gate.OFF;
        var allocator = new Allocator(state(test), SELECTORS, new AllocatorOptions(gate, GroupPolicy.LIVE, List.of()));

        Outcome outcome = allocator.allocate(node(test.get("node")), claims(test));

        JsonNode expected = test.get("expect");
        switch (expected.get("outcome").asText()) {
            case "allocated" -> assertThat(write(outcome)).isEqualTo(withoutEmpty(expected.get("results")));
            case "none" -> assertThat(outcome).isEqualTo(new Outcome.None());
            case "error" ->
                assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                    assertThat(failed.scope().name())
                            .isEqualToIgnoringCase(expected.get("errorScope").asText());
                    assertThat(failed.message().replace("default/", ""))
                            .contains(elements(expected.path("errorContains"))
                                    .map(JsonNode::asText)
                                    .toList());
                });
            default -> throw new AssertionError("unknown outcome in " + expected);
        }
    }

    private static JsonNode write(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Allocated.class);
        return withoutEmpty(JSON.valueToTree(((Outcome.Allocated) outcome)
                .allocations().stream().map(Allocations::write).toList()));
    }

    /** Empty lists and absent ones are the same in the API. */
    private static JsonNode withoutEmpty(JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode copy = JSON.createArrayNode();
            array.forEach(element -> copy.add(withoutEmpty(element)));
            return copy;
        }
        if (node instanceof ObjectNode object) {
            ObjectNode copy = JSON.createObjectNode();
            object.properties().stream()
                    .filter(field -> !field.getValue().isNull())
                    .filter(field -> !(field.getValue().isContainerNode()
                            && field.getValue().isEmpty()))
                    .forEach(field -> copy.set(field.getKey(), withoutEmpty(field.getValue())));
            return copy;
        }
        return node;
    }

    private static ClusterState state(JsonNode test) throws IOException {
        List<Slice> slices = elements(test.path("slices"))
                .map(slice -> SliceReader.read(parse(slice, ResourceSlice.class)))
                .toList();
        Map<String, DeviceClass> classes = elements(test.path("classes"))
                .map(value ->
                        ClaimReader.read(parse(value, io.fabric8.kubernetes.api.model.resource.v1.DeviceClass.class)))
                .collect(Collectors.toMap(DeviceClass::name, Function.identity()));
        var allocated = new ArrayList<AllocatedDevice>();
        elements(test.path("state").path("devices"))
                .forEach(device -> allocated.add(new AllocatedDevice(
                        new DeviceId(
                                device.get("driver").asText(),
                                device.get("pool").asText(),
                                device.get("device").asText()),
                        new ClaimRef("default", "holder", "holder"),
                        null)));
        return new ClusterState(slices, classes, allocated);
    }

    private static List<Claim> claims(JsonNode test) {
        return elements(test.path("claims"))
                .map(value -> parse(value, ResourceClaim.class))
                .map(claim -> {
                    claim.getMetadata().setNamespace("default");
                    claim.getMetadata().setUid(claim.getMetadata().getName());
                    return ClaimReader.read(claim);
                })
                .toList();
    }

    private static Node node(JsonNode node) {
        Map<String, String> labels = JSON.convertValue(
                node.path("metadata").path("labels"),
                JSON.getTypeFactory().constructMapType(Map.class, String.class, String.class));
        return new Node(node.path("metadata").path("name").asText(), labels == null ? Map.of() : labels);
    }

    private static <T> T parse(JsonNode value, Class<T> type) {
        try {
            return JSON.treeToValue(value, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
