package dev.fakegpu.engine.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A scenario to explain, as YAML: API objects, of which claims with an allocation hold their devices, and the others are explained. A
 * document of kind {@code Options} may set {@code gate}; {@code without}, a list of features that are off; {@code reader}, the namespace of
 * the explanation's reader; and {@code nodes}, by name or with {@code name}, {@code labels} and {@code declaredFeatures}. A document of
 * kind {@code Repeat} has a {@code document} that is repeated {@code times} times, with {@code <i>} replaced by a number from 0. The field
 * {@code repeat} of a list element does the same for this element. Fields that the API server sets may be omitted.
 */
final class ExplainedScenario {

    static final Selectors SELECTORS = new Selectors();

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final String NUMBER = "<i>";

    private final Set<Feature> features = new LinkedHashSet<>(Feature.all());
    private GroupsGate gate = GroupsGate.ON;
    private static final NameScope ALL = NameScope.all().in("default");
    private NameScope reader = ALL;
    private List<NodeInfo> nodes = List.of(new NodeInfo("node-1", Map.of()));
    private final List<Slice> slices = new ArrayList<>();
    private final Map<String, DeviceClass> classes = new LinkedHashMap<>();
    private final List<AllocatedDevice> allocated = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();

    static ExplainedScenario read(Path file) throws IOException {
        var scenario = new ExplainedScenario();
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
            while (documents.hasNext()) {
                scenario.add(documents.next());
            }
        }
        return scenario;
    }

    private void add(JsonNode document) throws IOException {
        switch (document.get("kind").asText()) {
            case "Options" -> options(document);
            case "Repeat" -> {
                for (int i = 0; i < document.get("times").asInt(); i++) {
                    add(numbered(document.get("document"), i));
                }
            }
            case "ResourceSlice" ->
                slices.add(SliceReader.read(YAML.treeToValue(repeatElements(document), ResourceSlice.class)));
            case "DeviceClass" -> {
                DeviceClass read = ClaimReader.read(
                        YAML.treeToValue(document, io.fabric8.kubernetes.api.model.resource.v1.DeviceClass.class));
                classes.put(read.name(), read);
            }
            case "ResourceClaim" -> claim(document);
            default -> throw new IllegalArgumentException("unknown kind in " + document);
        }
    }

    private static JsonNode numbered(JsonNode json, int number) throws IOException {
        return YAML.readTree(json.toString().replace(NUMBER, Integer.toString(number)));
    }

    private static JsonNode repeatElements(JsonNode json) throws IOException {
        for (JsonNode child : json) {
            repeatElements(child);
        }
        if (json instanceof ArrayNode array) {
            var elements = new ArrayList<JsonNode>();
            for (JsonNode element : array) {
                int times = element.path("repeat").asInt(1);
                if (element instanceof ObjectNode object) {
                    object.remove("repeat");
                }
                for (int i = 0; i < times; i++) {
                    elements.add(times == 1 ? element : numbered(element, i));
                }
            }
            array.removeAll();
            array.addAll(elements);
        }
        return json;
    }

    private void options(JsonNode options) {
        gate = GroupsGate.valueOf(options.path("gate").asText("ON"));
        reader = options.has("reader") ? new NameScope(options.get("reader").asText()) : ALL;
        options.path("without").forEach(feature -> features.remove(Feature.valueOf(feature.asText())));
        var read = new ArrayList<NodeInfo>();
        options.path("nodes").forEach(node -> read.add(node(node)));
        if (!read.isEmpty()) {
            nodes = read;
        }
    }

    private static NodeInfo node(JsonNode json) {
        if (json.isTextual()) {
            return new NodeInfo(json.asText(), Map.of());
        }
        var labels = new LinkedHashMap<String, String>();
        json.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        var declared = new LinkedHashSet<String>();
        json.path("declaredFeatures").forEach(feature -> declared.add(feature.asText()));
        return new NodeInfo(json.get("name").asText(), labels, declared);
    }

    private void claim(JsonNode document) throws IOException {
        document.path("spec").path("devices").path("requests").forEach(request -> {
            fillIn(request.path("exactly"));
            request.path("firstAvailable").forEach(ExplainedScenario::fillIn);
        });
        ResourceClaim claim = YAML.treeToValue(document, ResourceClaim.class);
        var metadata = claim.getMetadata();
        metadata.setNamespace(Objects.requireNonNullElse(metadata.getNamespace(), "default"));
        metadata.setUid(metadata.getName());
        if (Allocations.isAllocated(claim)) {
            allocated.addAll(DeviceStatuses.allocated(claim));
        } else {
            claims.add(ClaimReader.read(claim));
        }
    }

    private static void fillIn(JsonNode request) {
        if (request instanceof ObjectNode exactly) {
            exactly.putIfAbsent("allocationMode", exactly.textNode("ExactCount"));
            if (exactly.get("allocationMode").asText().equals("ExactCount")) {
                exactly.putIfAbsent("count", exactly.numberNode(1));
            }
        }
    }

    AllocatorOptions options() {
        return new AllocatorOptions(features, gate, GroupPolicy.SNAPSHOT, List.of(), () -> "share");
    }

    ClusterState state() {
        return new ClusterState(slices, classes, allocated);
    }

    List<NodeInfo> nodes() {
        return nodes;
    }

    NameScope reader() {
        return reader;
    }

    List<Claim> claims() {
        return claims;
    }

    Explanation explain() {
        return new Explainer(AllocationContext.of(state(), SELECTORS, options())).explain(nodes, claims);
    }
}
