package dev.fakegpu.engine.problemfile;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.MixedSlices;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.NodeInfo;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads a problem. Everything except the node is optional, and unknown fields are ignored. */
public final class ProblemReader {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** A placeholder for the claims that hold the allocated devices, which the format does not name. */
    private static final ClaimRef HOLDER = new ClaimRef("default", "another-claim", "another-claim");

    private ProblemReader() {}

    /** @throws UnreadableProblemException if the JSON does not have the shape of a problem; the message says what is wrong */
    public static AllocationProblem read(JsonNode json) throws UnreadableProblemException {
        return read(json, MixinsGate.OFF);
    }

    /** @param mixins the gate to use unless the problem enables mixins */
    static AllocationProblem read(JsonNode json, MixinsGate mixins) throws UnreadableProblemException {
        String name = json.path("name").asText();
        try {
            Set<String> features = features(json.path("features"));
            return new AllocationProblem(
                    name,
                    features,
                    interruption(json.path("context").path("mode").asText()),
                    node(json.path("node")),
                    state(json, mixins == MixinsGate.ON ? mixins : FeatureNames.mixins(features)),
                    all(json.path("claims"), ProblemReader::claim));
        } catch (JsonProcessingException e) {
            throw new UnreadableProblemException(name, e.getOriginalMessage());
        } catch (RuntimeException e) {
            // The client's model classes are lenient; malformed values that they accept fail on use.
            throw new UnreadableProblemException(name, String.valueOf(e.getMessage()));
        }
    }

    private static Set<String> features(JsonNode json) throws JsonProcessingException {
        return new LinkedHashSet<>(all(json, JsonNode::asText));
    }

    private static AllocationProblem.Interruption interruption(String mode) {
        return mode.isEmpty() || mode.equals("off")
                ? AllocationProblem.Interruption.NONE
                : AllocationProblem.Interruption.valueOf(mode.toUpperCase(Locale.ROOT));
    }

    private static NodeInfo node(JsonNode json) {
        if (!json.isObject()) {
            throw new IllegalArgumentException("there is no node");
        }
        JsonNode metadata = json.path("metadata");
        var labels = new LinkedHashMap<String, String>();
        metadata.path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        var declaredFeatures = new LinkedHashSet<String>();
        json.path("status").path("declaredFeatures").forEach(feature -> declaredFeatures.add(feature.asText()));
        return new NodeInfo(metadata.path("name").asText(), labels, declaredFeatures);
    }

    private static ClusterState state(JsonNode json, MixinsGate mixins) throws JsonProcessingException {
        List<MixedSlice> slices = all(json.path("slices"), slice -> MixedSlices.read(slice, ProblemReader::slice));
        return new ClusterState(
                mixins.visible(slices).stream().map(MixinsGate.Visible::slice).toList(),
                classes(json.path("classes")),
                allocated(json.path("state")));
    }

    private static Slice slice(JsonNode json) {
        try {
            return SliceReader.read(JSON.treeToValue(json, ResourceSlice.class));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage(), e);
        }
    }

    /** If two classes have the same name, the first one counts, as in upstream's lister. */
    private static Map<String, DeviceClass> classes(JsonNode json) throws JsonProcessingException {
        var classes = new LinkedHashMap<String, DeviceClass>();
        all(json, ProblemReader::deviceClass)
                .forEach(deviceClass -> classes.putIfAbsent(deviceClass.name(), deviceClass));
        return classes;
    }

    private static DeviceClass deviceClass(JsonNode json) throws JsonProcessingException {
        return ClaimReader.read(JSON.treeToValue(json, io.fabric8.kubernetes.api.model.resource.v1.DeviceClass.class));
    }

    private static List<AllocatedDevice> allocated(JsonNode json) throws JsonProcessingException {
        var allocated = new ArrayList<AllocatedDevice>();
        allocated.addAll(all(json.path("devices"), held -> new AllocatedDevice(device(held), HOLDER, null)));
        allocated.addAll(all(
                json.path("shared"),
                held -> share(
                        held, new AllocatedDevice.Share(held.path("shareID").asText(), Map.of()))));
        allocated.addAll(all(
                json.path("capacity"),
                held -> share(held, new AllocatedDevice.Share(null, quantities(held.path("consumed"))))));
        return allocated;
    }

    private static AllocatedDevice share(JsonNode held, AllocatedDevice.Share share) {
        return new AllocatedDevice(device(held), HOLDER, null, share);
    }

    private static DeviceId device(JsonNode json) {
        return new DeviceId(
                json.path("driver").asText(),
                json.path("pool").asText(),
                json.path("device").asText());
    }

    private static Map<String, Quantity> quantities(JsonNode json) {
        var quantities = new LinkedHashMap<String, Quantity>();
        json.properties()
                .forEach(entry -> quantities.put(
                        entry.getKey(), Quantity.parse(entry.getValue().asText())));
        return quantities;
    }

    private static Claim claim(JsonNode json) throws JsonProcessingException {
        ResourceClaim claim = JSON.treeToValue(json, ResourceClaim.class);
        ObjectMeta metadata = claim.getMetadata() == null ? new ObjectMeta() : claim.getMetadata();
        metadata.setName(requireNonNullElse(metadata.getName(), ""));
        metadata.setNamespace(requireNonNullElse(metadata.getNamespace(), "default"));
        metadata.setUid(requireNonNullElse(metadata.getUid(), metadata.getName()));
        claim.setMetadata(metadata);
        return ClaimReader.read(claim);
    }

    private interface Reading<T> {
        T read(JsonNode json) throws JsonProcessingException;
    }

    private static <T> List<T> all(JsonNode array, Reading<T> reading) throws JsonProcessingException {
        var result = new ArrayList<T>();
        for (JsonNode element : array) {
            result.add(reading.read(element));
        }
        return result;
    }
}
