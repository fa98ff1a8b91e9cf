package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.NodeAdmission;
import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes the pods of workloads. Their names are {@code <name>-<index>} with the lowest free index. Real names end in random
 * characters; these do not change from run to run.
 */
final class OwnedPods {

    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    private final ControlledCluster cluster;
    private final Creations creations;
    private final Set<String> notes = new LinkedHashSet<>();

    OwnedPods(ControlledCluster cluster, Creations creations) {
        this.cluster = cluster;
        this.creations = creations;
    }

    /** The pods that have not ended and are not being deleted, in the order of creation. */
    List<Pod> active(HasMetadata owner) {
        return active(cluster, owner);
    }

    static List<Pod> active(ControlledCluster cluster, HasMetadata owner) {
        return cluster.dependents(owner, Pod.class).stream()
                .filter(OwnedPods::isActive)
                .toList();
    }

    static boolean isActive(Pod pod) {
        return !PodState.hasEnded(pod) && !isDeleted(pod);
    }

    static boolean isDeleted(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    /**
     * Whether the template names a node that has rejected a pod of it. kube-controller-manager would then create one pod after the other, and
     * the node would reject each of them.
     *
     * @param template with the label of its revision, if the owner has several
     */
    boolean areRejected(HasMetadata owner, PodTemplateSpec template) {
        boolean areRejected = template.getSpec().getNodeName() != null
                && cluster.dependents(owner, Pod.class).stream()
                        .anyMatch(pod -> NodeAdmission.isRejected(pod) && isOf(pod, template));
        if (areRejected) {
            notes.add(
                    "node %s rejects the pods of %s %s/%s, whose template has spec.nodeName; kube-controller-manager would create new ones without end, which is not played"
                            .formatted(
                                    template.getSpec().getNodeName(),
                                    owner.getKind(),
                                    owner.getMetadata().getNamespace(),
                                    owner.getMetadata().getName()));
        }
        return areRejected;
    }

    /**
     * Whether a controller that is not simulated makes the pods of a workload.
     *
     * @param manager {@code spec.managedBy}
     * @param simulated the name of the controller that is simulated
     */
    boolean areManagedByAnother(HasMetadata owner, @Nullable String manager, String simulated) {
        boolean isOther = manager != null && !manager.equals(simulated);
        if (isOther) {
            notes.add("the pods of %s %s/%s are not played: its spec.managedBy is \"%s\", which makes them in a cluster"
                    .formatted(
                            owner.getKind(),
                            owner.getMetadata().getNamespace(),
                            owner.getMetadata().getName(),
                            manager));
        }
        return isOther;
    }

    private static boolean isOf(Pod pod, PodTemplateSpec template) {
        Map<String, String> labels = template.getMetadata() == null
                ? Map.of()
                : Objects.requireNonNullElse(template.getMetadata().getLabels(), Map.of());
        return Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of())
                .entrySet()
                .containsAll(labels.entrySet());
    }

    /** One sentence for each owner whose pods are not played, or no longer replaced. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** @param name the prefix of the names */
    void create(HasMetadata owner, String name, PodTemplateSpec template, int count) {
        int index = 0;
        for (int left = count; left > 0; index++) {
            if (isFree(owner.getMetadata().getNamespace(), name + "-" + index)) {
                if (!create(owner, pod(owner, template, name + "-" + index))) {
                    return; // the other pods would be refused, too
                }
                left--;
            }
        }
    }

    /** @return false if the pod is refused */
    boolean create(HasMetadata owner, Pod pod) {
        return creations.create(owner, pod, "FailedCreate", "Error creating: %s");
    }

    /** The first free name for a pod of a workload. */
    String freeName(String namespace, String name) {
        int index = 0;
        while (!isFree(namespace, name + "-" + index)) {
            index++;
        }
        return name + "-" + index;
    }

    private boolean isFree(String namespace, String name) {
        return cluster.get(Owners.named(new Pod(), namespace, name)) == null;
    }

    static Pod pod(HasMetadata owner, PodTemplateSpec template, String name) {
        var metadata = template.getMetadata();
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(owner.getMetadata().getNamespace())
                .withName(name)
                .withLabels(metadata == null ? Map.of() : metadata.getLabels())
                .withAnnotations(metadata == null ? Map.of() : metadata.getAnnotations())
                .withOwnerReferences(Owners.reference(owner))
                .endMetadata()
                .withSpec(template.getSpec().edit().build())
                .build();
    }

    void deleteSome(List<Pod> active, int count) {
        cheapest(active, count).forEach(cluster::delete);
    }

    /** The pods with the lowest cost, in the order of {@code ActivePodsWithRanks} in {@code pkg/controller/controller_utils.go}. */
    static List<Pod> cheapest(List<Pod> active, int count) {
        if (count <= 0) {
            return List.of();
        }
        var positions = new IdentityHashMap<Pod, Integer>(); // Pod.equals compares all fields
        active.forEach(pod -> positions.put(pod, positions.size()));
        Map<String, Long> running = active.stream()
                .filter(PodState::isRunning)
                .collect(Collectors.groupingBy(OwnedPods::node, HashMap::new, Collectors.counting()));
        Comparator<Pod> order = Comparator.comparing(PodState::isBound)
                .thenComparing(PodState::isRunning)
                .thenComparing(OwnedPods::deletionCost)
                .thenComparing(pod -> running.getOrDefault(node(pod), 0L), Comparator.reverseOrder())
                .thenComparing(positions::get, Comparator.reverseOrder());
        return active.stream().sorted(order).limit(count).toList();
    }

    private static String node(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    }

    private static int deletionCost(Pod pod) {
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        String cost = annotations.getOrDefault(DELETION_COST, "");
        return cost.matches("-?[0-9]{1,9}") ? Integer.parseInt(cost) : 0;
    }
}
