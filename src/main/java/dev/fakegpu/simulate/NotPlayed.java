package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/**
 * Describes what a simulation lacks because it does not read objects of other kinds. Kinds whose controllers create pods are recognized by
 * the containers in them, since most contain a pod template.
 */
public final class NotPlayed {

    private static final String CONTAINERS = "containers";

    /** Kinds whose controllers write the pod template themselves. */
    private static final Set<String> WITHOUT_TEMPLATE =
            Set.of("InferenceService", "NIMService", "ComputeDomain", "LLMInferenceService");

    /** Kinds that only store a pod template. */
    private static final Set<String> STORED_ONLY = Set.of("PodTemplate", "ClusterServingRuntime", "ServingRuntime");

    /** By API group, the kinds of objects that do not create pods. */
    private static final Map<String, String> BY_GROUP = Map.of(
            "autoscaling", "nothing is scaled",
            "autoscaling.k8s.io", "nothing is scaled",
            "keda.sh", "nothing is scaled",
            "karpenter.sh", "no nodes are created for pods that wait",
            "kueue.x-k8s.io", "workloads do not wait for Kueue, and start at once",
            "admissionregistration.k8s.io", "what it changes or refuses is not played");

    private static final String VOLUMES = "volumes keep no pods off nodes";

    /** By API group and kind, of built-in objects that decide where pods run. */
    private static final Map<String, String> BY_KIND = Map.of(
            "node.k8s.io/RuntimeClass", "its overhead, node selector and tolerations are not added to pods",
            "scheduling.k8s.io/Workload", "its pods do not wait for each other; those of a PodGroup do",
            "/PersistentVolume", VOLUMES,
            "/PersistentVolumeClaim", VOLUMES,
            "storage.k8s.io/StorageClass", VOLUMES,
            "storage.k8s.io/CSIStorageCapacity", VOLUMES);

    private NotPlayed() {}

    /** What is missing without the object. */
    public static String consequence(JsonNode object) {
        if (makesPods(object)) {
            return "its pods are not played";
        }
        String group = object.path("apiVersion").asText().replaceFirst("/?[^/]*$", "");
        boolean isBuiltIn = !group.contains(".") || group.endsWith(".k8s.io");
        String ofGroup = BY_GROUP.getOrDefault(
                group,
                isBuiltIn ? "it does not decide which pods get devices" : "what its controller does is not played");
        return BY_KIND.getOrDefault(group + "/" + object.path("kind").asText(), ofGroup);
    }

    private static boolean makesPods(JsonNode object) {
        String kind = object.path("kind").asText();
        return WITHOUT_TEMPLATE.contains(kind) || (!STORED_ONLY.contains(kind) && hasContainers(object.path("spec")));
    }

    private static boolean hasContainers(JsonNode part) {
        if (part.path(CONTAINERS).isArray()) {
            return true;
        }
        for (JsonNode inside : part) {
            if (hasContainers(inside)) {
                return true;
            }
        }
        return false;
    }
}
