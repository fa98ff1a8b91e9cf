package dev.fakegpu.cluster.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The pods that kube-controller-manager would create for a Deployment, ReplicaSet, StatefulSet or Job. They are called {@code
 * <name>-<index>}; real names of other pods than a StatefulSet's end in random characters.
 */
public final class WorkloadPods {

    private static final Set<String> KINDS = Set.of("Deployment", "ReplicaSet", "StatefulSet", "Job");

    private final JsonNode workload;
    private final String kind;
    private final String name;

    /** @param workload as it is written, an object of one of the kinds */
    public WorkloadPods(JsonNode workload) {
        this.workload = workload;
        kind = workload.path("kind").asText();
        name = workload.path("metadata").path("name").asText();
    }

    /** Whether an object has pods. */
    public static boolean hasPods(JsonNode object) {
        return KINDS.contains(object.path("kind").asText());
    }

    /** The pods as objects of the API without defaults, in the order of their indices. */
    public List<ObjectNode> pods() {
        return IntStream.range(0, count()).mapToObj(this::pod).toList();
    }

    private int count() {
        JsonNode spec = workload.path("spec");
        if (!kind.equals("Job")) {
            return spec.path("replicas").asInt(1);
        }
        int parallelism = spec.path("parallelism").asInt(1);
        return Math.min(parallelism, spec.path("completions").asInt(parallelism));
    }

    private ObjectNode pod(int index) {
        JsonNode template = workload.path("spec").path("template");
        ObjectNode pod =
                JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = template.path("metadata") instanceof ObjectNode given
                ? given.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        pod.set("metadata", metadata);
        metadata.put("name", name + "-" + index);
        JsonNode namespace = workload.path("metadata").path("namespace");
        if (namespace.isTextual()) {
            metadata.set("namespace", namespace);
        }
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }

    /** Whether an existing pod of the workload's namespace is one of its pods, which are replaced when it changes. */
    public boolean owns(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream().anyMatch(this::isOwner);
    }

    /** A Deployment's pods belong to its ReplicaSets, whose names end in a hash. */
    private boolean isOwner(OwnerReference owner) {
        boolean isReplicaSet = kind.equals("Deployment") && owner.getKind().equals("ReplicaSet");
        int hash = owner.getName().lastIndexOf('-');
        return isReplicaSet
                ? hash > 0 && owner.getName().substring(0, hash).equals(name)
                : owner.getKind().equals(kind) && owner.getName().equals(name);
    }
}
