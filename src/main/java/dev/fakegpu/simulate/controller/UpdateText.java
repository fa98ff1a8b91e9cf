package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Describes the update of a workload and its progress. */
final class UpdateText {

    private final ControlledCluster cluster;
    private final Templates templates;

    UpdateText(ControlledCluster cluster, Templates templates) {
        this.cluster = cluster;
        this.templates = templates;
    }

    /** The text; empty if the workload was deleted. */
    Stream<String> of(HasMetadata workload) {
        HasMetadata stored = cluster.get(workload);
        if (stored instanceof Deployment deployment) {
            return Stream.of(sentence(
                    deployment,
                    how(deployment),
                    deployment.getSpec().getTemplate(),
                    cluster.dependents(deployment, ReplicaSet.class).stream()
                            .flatMap(set -> OwnedPods.active(cluster, set).stream())
                            .toList(),
                    RolloutLimits.of(deployment).replicas()));
        } else if (stored instanceof StatefulSet set) {
            return Stream.of(sentence(
                    set,
                    "an update replaces pods from the highest ordinal down, one after another",
                    set.getSpec().getTemplate(),
                    OwnedPods.active(cluster, set),
                    Objects.requireNonNullElse(set.getSpec().getReplicas(), 1)));
        } else if (stored instanceof DaemonSet set) {
            return Stream.of(sentence(set, how(set), set.getSpec().getTemplate(), OwnedPods.active(cluster, set), (int)
                    OwnedPods.active(cluster, set).stream()
                            .map(DaemonSetController::node)
                            .distinct()
                            .count()));
        }
        return Stream.of();
    }

    private String sentence(HasMetadata workload, String how, PodTemplateSpec template, List<Pod> active, int wanted) {
        int newest = templates.number(workload, template);
        long updated = active.stream()
                .filter(PodState::isRunning)
                .filter(pod -> Templates.isOf(pod, Templates.TEMPLATE_HASH, newest)
                        || Templates.isOf(pod, Templates.REVISION_HASH, newest))
                .count();
        boolean isDone = updated == wanted && active.size() == wanted;
        return "%s %s/%s: %s; it %s"
                .formatted(
                        workload.getKind(),
                        workload.getMetadata().getNamespace(),
                        workload.getMetadata().getName(),
                        how,
                        isDone ? "would complete" : "would stop with %d of %d pods updated".formatted(updated, wanted));
    }

    private String how(DaemonSet set) {
        int surge = DaemonSetController.maxSurge(set, OwnedPods.active(cluster, set));
        return surge == 0
                ? "an update replaces pods node after node"
                : "an update needs room for a second pod on each node (maxSurge %d)".formatted(surge);
    }

    private static String how(Deployment deployment) {
        var strategy = deployment.getSpec().getStrategy();
        RolloutLimits limits = RolloutLimits.of(deployment);
        if (strategy != null && "Recreate".equals(strategy.getType())) {
            return "its pods are deleted before new ones are created (Recreate)";
        }
        String values = " (maxSurge %d, maxUnavailable %d)".formatted(limits.maxSurge(), limits.maxUnavailable());
        if (limits.maxSurge() == 0) {
            return "a rolling update needs no room for more pods, and does without up to %d meanwhile"
                            .formatted(limits.maxUnavailable())
                    + values;
        }
        return limits.maxUnavailable() == 0
                ? "a rolling update needs room for at least 1 more pod" + values
                : "a rolling update takes up to %d more %s, and does without up to %d meanwhile%s"
                        .formatted(limits.maxSurge(), pods(limits.maxSurge()), limits.maxUnavailable(), values);
    }

    private static String pods(int count) {
        return count == 1 ? "pod" : "pods";
    }
}
