package dev.fakegpu.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.client.ClientSerialization;
import dev.fakegpu.client.UnreadableFields;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Converts between objects and JSON, for the kinds that a simulation knows. */
final class ApiObjects {

    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.ofEntries(
            Map.entry("FakeGpu", FakeGpu.class),
            Map.entry("Node", Node.class),
            Map.entry("Namespace", Namespace.class),
            Map.entry("ConfigMap", ConfigMap.class),
            Map.entry("Pod", Pod.class),
            Map.entry("Deployment", Deployment.class),
            Map.entry("Job", Job.class),
            Map.entry("DeviceClass", DeviceClass.class),
            Map.entry("DeviceTaintRule", DeviceTaintRule.class),
            Map.entry("PriorityClass", PriorityClass.class),
            Map.entry("ResourceSlice", ResourceSlice.class),
            Map.entry("ResourceClaim", ResourceClaim.class),
            Map.entry("ResourceClaimTemplate", ResourceClaimTemplate.class));

    private static final Map<String, String> API_VERSIONS = Map.ofEntries(
            Map.entry("FakeGpu", FakeGpu.GROUP + "/" + FakeGpu.VERSION),
            Map.entry("Node", "v1"),
            Map.entry("Namespace", "v1"),
            Map.entry("ConfigMap", "v1"),
            Map.entry("Pod", "v1"),
            Map.entry("Deployment", "apps/v1"),
            Map.entry("Job", "batch/v1"),
            Map.entry("DeviceClass", "resource.k8s.io/v1"),
            Map.entry("DeviceTaintRule", "resource.k8s.io/v1"),
            Map.entry("PriorityClass", "scheduling.k8s.io/v1"),
            Map.entry("ResourceSlice", "resource.k8s.io/v1"),
            Map.entry("ResourceClaim", "resource.k8s.io/v1"),
            Map.entry("ResourceClaimTemplate", "resource.k8s.io/v1"));

    private static final Set<String> CLUSTER_SCOPED =
            Set.of("FakeGpu", "Node", "Namespace", "DeviceClass", "DeviceTaintRule", "PriorityClass", "ResourceSlice");

    private static final ObjectMapper JSON = mapper();

    private ApiObjects() {}

    private static ObjectMapper mapper() {
        var mapper = new ObjectMapper();
        ClientSerialization.configure(mapper);
        return mapper;
    }

    static Set<String> kinds() {
        return KINDS.keySet();
    }

    static boolean isKnown(JsonNode object) {
        String kind = object.path("kind").asText();
        String version = API_VERSIONS.get(kind);
        String given = object.path("apiVersion").asText();
        return version != null && (given.equals(version) || isBetaOfSameShape(kind, given));
    }

    /** Identical to {@code v1}. */
    private static boolean isBetaOfSameShape(String kind, String version) {
        return kind.equals("DeviceTaintRule") && version.equals("resource.k8s.io/v1beta2");
    }

    /** @throws SimulationException if the object has no name, or fields of another type */
    static HasMetadata read(JsonNode json) {
        String kind = json.path("kind").asText();
        String title = kind + " " + json.path("metadata").path("name").asText();
        if (json.path("metadata").path("name").asText().isEmpty()) {
            throw new SimulationException(kind + ": metadata.name is missing");
        }
        try {
            HasMetadata object = JSON.treeToValue(withVersion(json, kind), Objects.requireNonNull(KINDS.get(kind)));
            Optional<String> unreadable = UnreadableFields.of(object);
            if (unreadable.isPresent()) {
                throw new SimulationException(title + ": " + unreadable.get());
            }
            boolean isNamespaced = !CLUSTER_SCOPED.contains(kind);
            if (isNamespaced && object.getMetadata().getNamespace() == null) {
                object.getMetadata().setNamespace("default");
            } else if (!isNamespaced) {
                object.getMetadata().setNamespace(null);
            }
            return object;
        } catch (JsonProcessingException e) {
            throw new SimulationException(title + ": " + e.getOriginalMessage());
        }
    }

    private static JsonNode withVersion(JsonNode json, String kind) {
        ObjectNode copy = json.deepCopy();
        return copy.put("apiVersion", API_VERSIONS.get(kind));
    }

    static ObjectNode write(HasMetadata object) {
        return JSON.valueToTree(object);
    }

    @SuppressWarnings("unchecked")
    static <T extends HasMetadata> T copy(T object) {
        return (T) JSON.convertValue(JSON.<JsonNode>valueToTree(object), object.getClass());
    }
}
