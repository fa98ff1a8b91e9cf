package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDeployment;
import java.util.Objects;

/**
 * The limits of a rolling update of a Deployment ({@code ResolveFenceposts} in {@code pkg/controller/deployment/util}).
 *
 * @param replicas the desired number of pods
 * @param maxSurge how many more pods may exist during the update, rounded up
 * @param maxUnavailable how many pods may be missing during the update, rounded down; 1 if both would be 0
 */
public record RolloutLimits(int replicas, int maxSurge, int maxUnavailable) {

    private static final String BY_DEFAULT = "25%";

    public static RolloutLimits of(Deployment deployment) {
        int replicas = Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1);
        var strategy = deployment.getSpec().getStrategy();
        RollingUpdateDeployment rolling = strategy == null || strategy.getRollingUpdate() == null
                ? new RollingUpdateDeployment()
                : strategy.getRollingUpdate();
        int surge = ReplicaShare.roundedUp(rolling.getMaxSurge(), BY_DEFAULT, replicas);
        int unavailable = ReplicaShare.roundedDown(rolling.getMaxUnavailable(), BY_DEFAULT, replicas);
        boolean isNone = surge == 0 && unavailable == 0;
        return new RolloutLimits(replicas, surge, isNone ? 1 : Math.min(unavailable, replicas));
    }

    int minAvailable() {
        return replicas - maxUnavailable;
    }

    int maxTotal() {
        return replicas + maxSurge;
    }
}
