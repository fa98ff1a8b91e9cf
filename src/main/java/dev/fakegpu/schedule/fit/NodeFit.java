package dev.fakegpu.schedule.fit;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.wire.NodeSelectors;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a pod off a node apart from its claims: readiness, {@code unschedulable}, taints, node selector and required node
 * affinity. Reasons are worded as kube-scheduler words them.
 */
public final class NodeFit {
    private NodeFit() {}

    /** @param pod null for a claim without a pod */
    public static Optional<String> problem(Node node, @Nullable Pod pod) {
        if (node.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of("node(s) were being deleted");
        }
        if (!isReady(node)) {
            return Optional.of("node(s) were not ready");
        }
        if (node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
            return Optional.of("node(s) were unschedulable");
        }
        return pod == null ? Optional.empty() : taint(node, pod).or(() -> selector(node, pod));
    }

    public static boolean isReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    private static Optional<String> taint(Node node, Pod pod) {
        boolean isOurs = Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName());
        List<Taint> taints = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        return taints.stream()
                .filter(taint -> !taint.getEffect().equals("PreferNoSchedule"))
                // Simulated nodes are what pods with our scheduler name are for.
                .filter(taint -> !(isOurs && taint.getKey().equals(Labels.SIMULATED)))
                .filter(taint ->
                        pod.getSpec().getTolerations().stream().noneMatch(toleration -> tolerates(toleration, taint)))
                .map(taint -> "node(s) had untolerated taint {%s: %s}"
                        .formatted(taint.getKey(), Objects.requireNonNullElse(taint.getValue(), "")))
                .findFirst();
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
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

    private static Optional<String> selector(Node node, Pod pod) {
        var labels = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of());
        var wanted = Objects.requireNonNullElse(pod.getSpec().getNodeSelector(), Map.<String, String>of());
        var affinity = requiredAffinity(pod);
        boolean matches = labels.entrySet().containsAll(wanted.entrySet())
                && (affinity == null || affinity.matches(node.getMetadata().getName(), labels));
        return matches ? Optional.empty() : Optional.of("node(s) didn't match Pod's node affinity/selector");
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
