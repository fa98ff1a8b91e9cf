package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Maintains a ReplicaSet for each template, and updates from one to the next ({@code pkg/controller/deployment}). The names of the
 * ReplicaSets are {@code <name>-<number of the template>}.
 */
final class DeploymentController {

    private final ControlledCluster cluster;
    private final OwnedPods pods;
    private final Templates templates;

    /** By UID, the limits to which its ReplicaSets were last scaled. */
    private final Map<String, RolloutLimits> scaled = new HashMap<>();

    DeploymentController(ControlledCluster cluster, OwnedPods pods, Templates templates) {
        this.cluster = cluster;
        this.pods = pods;
        this.templates = templates;
    }

    /** Takes one step. Its changes trigger the next step. */
    void sync(Deployment deployment) {
        List<ReplicaSet> all = cluster.dependents(deployment, ReplicaSet.class);
        RolloutLimits limits = RolloutLimits.of(deployment);
        RolloutLimits before = scaled.put(deployment.getMetadata().getUid(), limits);
        boolean isPaused = Boolean.TRUE.equals(deployment.getSpec().getPaused());
        if (isPaused || (before != null && before.replicas() != limits.replicas())) {
            scaleOnly(deployment, new ProportionalScaling(before == null ? limits : before, limits), all);
        }
        if (isPaused) {
            return;
        }
        roll(deployment, limits, cluster.dependents(deployment, ReplicaSet.class));
    }

    private void roll(Deployment deployment, RolloutLimits limits, List<ReplicaSet> all) {
        int number = templates.number(deployment, deployment.getSpec().getTemplate());
        List<ReplicaSet> old = new ArrayList<>(all);
        ReplicaSet current = all.stream()
                .filter(each -> numberOf(deployment, each) == number)
                .findFirst()
                .orElseGet(() -> create(deployment, number));
        old.remove(current);
        if (isRecreated(deployment)) {
            recreate(limits.replicas(), current, old);
        } else {
            roll(limits, current, old);
        }
    }

    private static boolean isRecreated(Deployment deployment) {
        var strategy = deployment.getSpec().getStrategy();
        return strategy != null && "Recreate".equals(strategy.getType());
    }

    private int numberOf(Deployment deployment, ReplicaSet set) {
        return templates.number(deployment, set.getSpec().getTemplate());
    }

    private ReplicaSet create(Deployment deployment, int number) {
        PodTemplateSpec template =
                Templates.labelled(deployment.getSpec().getTemplate(), Templates.TEMPLATE_HASH, number);
        return cluster.create(new ReplicaSetBuilder()
                .withNewMetadata()
                .withNamespace(deployment.getMetadata().getNamespace())
                .withName(deployment.getMetadata().getName() + "-" + number)
                .withOwnerReferences(Owners.reference(deployment))
                .endMetadata()
                .withNewSpec()
                .withReplicas(0)
                .withSelector(deployment.getSpec().getSelector())
                .withTemplate(template)
                .endSpec()
                .build());
    }

    /** Scales without a step of the update ({@code scale}). */
    private void scaleOnly(Deployment deployment, ProportionalScaling scaling, List<ReplicaSet> all) {
        List<ReplicaSet> active = all.stream().filter(set -> replicas(set) > 0).toList();
        if (active.size() == 1) {
            scale(active.get(0), scaling.now().replicas());
        } else if (active.size() > 1 && !isRecreated(deployment)) {
            scaling.sizes(active).forEach(this::scale);
        }
    }

    /** Creates the new pods when the old ones are gone ({@code rolloutRecreate}). */
    private void recreate(int replicas, ReplicaSet current, List<ReplicaSet> old) {
        old.forEach(set -> scale(set, 0));
        boolean isLeft = old.stream()
                .flatMap(set -> cluster.dependents(set, Pod.class).stream())
                .anyMatch(pod -> !PodState.hasEnded(pod));
        if (!isLeft) {
            scale(current, replicas);
        }
    }

    /** Implements {@code rolloutRolling}. */
    private void roll(RolloutLimits limits, ReplicaSet current, List<ReplicaSet> old) {
        int ofOld = old.stream().mapToInt(DeploymentController::replicas).sum();
        int wanted = Math.min(
                limits.replicas(), replicas(current) + Math.max(0, limits.maxTotal() - replicas(current) - ofOld));
        if (wanted != replicas(current)) {
            scale(current, wanted);
            return;
        }
        int unavailable = replicas(current) - available(current);
        int most = replicas(current) + ofOld - limits.minAvailable() - unavailable;
        if (ofOld > 0 && most > 0) {
            List<ReplicaSet> left = deleteUnavailable(old, most);
            deleteAvailable(limits, current, left);
        }
    }

    /** Deletes pods that do not run first ({@code cleanupUnhealthyReplicas}). */
    private List<ReplicaSet> deleteUnavailable(List<ReplicaSet> old, int most) {
        var left = new ArrayList<ReplicaSet>();
        int deleted = 0;
        for (ReplicaSet set : old) {
            int surplus = Math.max(0, Math.min(most - deleted, replicas(set) - available(set)));
            left.add(scale(set, replicas(set) - surplus));
            deleted += surplus;
        }
        return left;
    }

    /** Implements {@code scaleDownOldReplicaSetsForRollingUpdate}. */
    private void deleteAvailable(RolloutLimits limits, ReplicaSet current, List<ReplicaSet> old) {
        int surplus =
                available(current) + old.stream().mapToInt(this::available).sum() - limits.minAvailable();
        for (ReplicaSet set : old) {
            int deleted = Math.max(0, Math.min(surplus, replicas(set)));
            scale(set, replicas(set) - deleted);
            surplus -= deleted;
        }
    }

    private ReplicaSet scale(ReplicaSet set, int replicas) {
        return replicas == replicas(set)
                ? set
                : cluster.update(
                        set,
                        new ReplicaSetBuilder(set)
                                .editSpec()
                                .withReplicas(replicas)
                                .endSpec()
                                .build());
    }

    static int replicas(ReplicaSet set) {
        return Objects.requireNonNullElse(set.getSpec().getReplicas(), 1);
    }

    private int available(ReplicaSet set) {
        return (int) pods.active(set).stream().filter(PodState::isReady).count();
    }
}
