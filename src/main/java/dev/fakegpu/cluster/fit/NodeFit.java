package dev.fakegpu.cluster.fit;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.wire.NodeSelectors;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a node fits a pod, apart from resources and claims: readiness, {@code unschedulable}, taints, node selector and required
 * node affinity.
 */
public final class NodeFit {
    /** The taint that a pod must tolerate to be placed by kube-scheduler on an {@code unschedulable} node. */
    private static final Taint CORDONED = new TaintBuilder()
            .withKey("node.kubernetes.io/unschedulable")
            .withEffect("NoSchedule")
            .build();

    /** Taints that kube-controller-manager sets on nodes that are not ready or unreachable. */
    private static final Set<String> OF_NODES_THAT_ARE_NOT_READY =
            Set.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private NodeFit() {}

    /**
     * Why the node does not fit; empty if it does.
     *
     * @param pod null for a claim without a pod
     */
    public static Optional<String> problem(Node node, @Nullable Pod pod) {
        if (node.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of(FitMessages.beingDeleted());
        }
        if (!isReady(node) && (pod == null || PodState.isOfCompanion(pod) || !isTaintedForIt(node))) {
            return Optional.of(FitMessages.notReady());
        }
        if (isCordoned(node) && !(pod != null && !PodState.isOfCompanion(pod) && tolerates(pod, CORDONED))) {
            return Optional.of(FitMessages.unschedulable());
        }
        return pod == null ? Optional.empty() : taint(node, pod).or(() -> nodeSelector(node, pod));
    }

    /** Whether a node that is not ready has the taint that tells kube-scheduler so. */
    private static boolean isTaintedForIt(Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints().stream()
                        .anyMatch(taint -> OF_NODES_THAT_ARE_NOT_READY.contains(taint.getKey())
                                && taint.getEffect().equals("NoSchedule"));
    }

    /** Whether taints, node selector and required node affinity allow the pod, regardless of the node's state. */
    public static boolean selects(Node node, Pod pod) {
        return isTolerated(node, pod) && matchesSelector(node, pod);
    }

    /** Whether the pod tolerates the node's taints. */
    static boolean isTolerated(Node node, Pod pod) {
        return taint(node, pod).isEmpty();
    }

    /** Whether node selector and required node affinity allow the pod. */
    static boolean matchesSelector(Node node, Pod pod) {
        return nodeSelector(node, pod).isEmpty();
    }

    public static boolean isCordoned(Node node) {
        return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
    }

    public static boolean isReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    /** Whether the taint of simulated nodes is the only known reason that keeps the pod off the node. */
    public static boolean isKeptOffAsSimulated(Node node, Pod pod) {
        return problem(node, null).isEmpty()
                && untolerated(node, pod)
                        .filter(taint -> Labels.SIMULATED.equals(taint.getKey()))
                        .isPresent();
    }

    private static Optional<String> taint(Node node, Pod pod) {
        return untolerated(node, pod).map(FitMessages::untolerated);
    }

    private static Optional<Taint> untolerated(Node node, Pod pod) {
        List<Taint> taints = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        return taints.stream()
                .filter(taint -> !taint.getEffect().equals("PreferNoSchedule"))
                .filter(taint -> !toleratesOrIsMeantFor(pod, taint))
                .findFirst();
    }

    /** The companion's pods are meant for simulated nodes, so they do not need to tolerate their taint. */
    static boolean toleratesOrIsMeantFor(Pod pod, Taint taint) {
        return tolerates(pod, taint) || (PodState.isOfCompanion(pod) && Labels.SIMULATED.equals(taint.getKey()));
    }

    static boolean tolerates(Pod pod, Taint taint) {
        return pod.getSpec().getTolerations().stream().anyMatch(toleration -> tolerates(toleration, taint));
    }

    /** Upstream: {@code ToleratesTaint} in {@code k8s.io/component-helpers/scheduling/corev1}. */
    public static boolean tolerates(Toleration toleration, Taint taint) {
        if (toleration.getEffect() != null
                && !toleration.getEffect().isEmpty()
                && !toleration.getEffect().equals(taint.getEffect())) {
            return false;
        }
        var key = Objects.requireNonNullElse(toleration.getKey(), "");
        if (!key.isEmpty() && !key.equals(taint.getKey())) {
            return false;
        }
        if ("Exists".equals(toleration.getOperator())) {
            return true;
        }
        return !key.isEmpty()
                && Objects.requireNonNullElse(toleration.getValue(), "")
                        .equals(Objects.requireNonNullElse(taint.getValue(), ""));
    }

    private static Optional<String> nodeSelector(Node node, Pod pod) {
        var labels = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of());
        var required = Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.<String, String>of());
        var affinity = requiredAffinity(pod);
        boolean matches = labels.entrySet().containsAll(required.entrySet())
                && (affinity == null || affinity.matches(node.getMetadata().getName(), labels));
        return matches ? Optional.empty() : Optional.of(FitMessages.notSelected());
    }

    private static @Nullable NodeSelector requiredAffinity(Pod pod) {
        var affinity = pod.getSpec().getAffinity();
        if (affinity == null || affinity.getNodeAffinity() == null) {
            return null;
        }
        var required = affinity.getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();
        return required == null ? null : NodeSelectors.read(required);
    }
}
