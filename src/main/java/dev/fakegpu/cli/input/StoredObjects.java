package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.cluster.fit.PodDefaults;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads objects from files in the form in which the API server stores them: adds missing defaults that decisions depend on. */
public final class StoredObjects {

    private static final KubernetesSerialization SERIALIZATION = serialization();

    /** The latest possible second, for objects that are not created yet. A fraction keeps them in the order of their files. */
    private static final String NOT_CREATED = "9999-01-01T00:00:00";

    private static final Set<KnownKind> KINDS = EnumSet.complementOf(EnumSet.of(KnownKind.PriorityClass));

    private static final Set<String> NAMESPACED = Set.of(
            "Pod",
            "PodGroup",
            "PodDisruptionBudget",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "ResourceQuota",
            "LimitRange",
            "Deployment",
            "ConfigMap");

    private StoredObjects() {}

    private static KubernetesSerialization serialization() {
        var serialization = new KubernetesSerialization(ClientSerialization.mapper(), true);
        serialization.registerKubernetesResource(PodGroup.class);
        return serialization;
    }

    /**
     * The objects of manifests whose kinds snapshots have.
     *
     * @param namespace the namespace of objects that have none
     * @param mixins how schedulers treat mixins of slices
     * @param notes receives what happens to slices with mixins
     * @throws InvalidInputException with all problems, such as fields that an API server would refuse
     */
    public static List<HasMetadata> read(
            List<Manifest> manifests, String namespace, MixinsGate mixins, Consumer<String> notes) {
        var objects = new ArrayList<HasMetadata>();
        InvalidInputException.collect(MixinSlices.visible(manifests, mixins, notes), manifest -> {
            check(manifest);
            read(manifest, namespace, objects.size()).ifPresent(objects::add);
        });
        return objects;
    }

    /** @throws InvalidInputException if the kind is misspelled, or if an API server would refuse an object that it has not stored */
    static void check(Manifest manifest) {
        manifest.refuseMisspelled(KINDS);
        KnownKind.of(manifest.json()).ifPresent(kind -> manifest.refuseInvalid(kind, KubernetesVersion.NEWEST));
    }

    /** Returns the object with a creation time if it has none. */
    public static HasMetadata createdAt(Instant time, HasMetadata object) {
        String created = object.getMetadata().getCreationTimestamp();
        if (created.startsWith(NOT_CREATED)) {
            Duration order = Duration.between(Instant.parse(NOT_CREATED + "Z"), Instant.parse(created));
            object.getMetadata().setCreationTimestamp(time.plus(order).toString());
        }
        return object;
    }

    /**
     * The object of a manifest; empty if snapshots do not have its kind.
     *
     * @param namespace the namespace of objects that have none
     * @param order the position among objects without a creation time
     * @throws InvalidInputException if it cannot be read
     */
    private static Optional<HasMetadata> read(Manifest manifest, String namespace, int order) {
        try {
            String json = filledIn(manifest, namespace, order).toString();
            Object object = FakeGpus.isOne(manifest)
                    ? SERIALIZATION.unmarshal(json, FakeGpu.class)
                    : SERIALIZATION.unmarshal(json);
            if (object instanceof Pod pod && UnreadableFields.isReadable(pod)) {
                PodDefaults.set(pod);
            }
            return object instanceof HasMetadata known ? ObjectKind.of(known).map(kind -> known) : Optional.empty();
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(manifest.title() + ": cannot be read: " + e.getMessage());
        }
    }

    private static ObjectNode filledIn(Manifest manifest, String namespace, int order) {
        ObjectNode object = manifest.json().deepCopy();
        ObjectNode metadata = object.withObjectProperty("metadata");
        if (NAMESPACED.contains(manifest.kind())) {
            putIfMissing(metadata, "namespace", namespace);
        }
        putIfMissing(
                metadata,
                "uid",
                manifest.kind() + "/" + metadata.path("namespace").asText() + "/" + manifest.name());
        putIfMissing(metadata, "creationTimestamp", "%s.%06dZ".formatted(NOT_CREATED, order));
        if (!metadata.has("generation")) {
            metadata.put("generation", 1);
        }
        if (manifest.kind().equals("ResourceClaim")) {
            fillInRequests(object.path("spec").path("devices").path("requests"));
        } else if (manifest.kind().equals("ResourceClaimTemplate")) {
            fillInRequests(object.path("spec").path("spec").path("devices").path("requests"));
        } else if (manifest.kind().equals("Node")) {
            fillInStatus(object);
        } else if (manifest.kind().equals("Pod")) {
            putIfMissing(object.withObjectProperty("spec"), "schedulerName", "default-scheduler");
        }
        return object;
    }

    /**
     * Adds what a kubelet would have reported: a node without a Ready condition is ready, and one without resources has those of a
     * simulated node.
     */
    private static void fillInStatus(ObjectNode node) {
        ObjectNode status = node.withObjectProperty("status");
        ArrayNode conditions = status.withArrayProperty("conditions");
        boolean isReported = conditions
                .valueStream()
                .anyMatch(condition -> condition.path("type").asText().equals("Ready"));
        if (!isReported) {
            conditions.addObject().put("type", "Ready").put("status", "True");
        }
        if (status.path("allocatable").isEmpty()) {
            ObjectNode allocatable = status.putObject("allocatable");
            SimulatedNode.CAPACITY.forEach((resource, amount) -> allocatable.put(resource, amount.toString()));
        }
    }

    private static void fillInRequests(JsonNode requests) {
        requests.forEach(request -> {
            var options = new ArrayList<>(List.of(request.path("exactly")));
            if (request.path("firstAvailable") instanceof ArrayNode alternatives) {
                alternatives.forEach(options::add);
            }
            options.forEach(StoredObjects::fillIn);
        });
    }

    private static void fillIn(JsonNode request) {
        if (request instanceof ObjectNode exactly) {
            putIfMissing(exactly, "allocationMode", "ExactCount");
            if (exactly.path("allocationMode").asText().equals("ExactCount") && !exactly.has("count")) {
                exactly.put("count", 1);
            }
        }
    }

    private static void putIfMissing(ObjectNode object, String field, String value) {
        if (object.path(field).asText().isEmpty()) {
            object.put(field, value);
        }
    }
}
