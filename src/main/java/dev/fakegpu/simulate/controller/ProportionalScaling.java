package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Distributes the growth or shrinkage of a Deployment during an update over its ReplicaSets ({@code scale} in
 * {@code pkg/controller/deployment/sync.go}).
 *
 * @param before the limits for which the ReplicaSets were last scaled
 */
record ProportionalScaling(RolloutLimits before, RolloutLimits now) {

    /**
     * Computes the sizes.
     *
     * @param active the ReplicaSets with pods, the oldest first
     * @return the new size of each
     */
    Map<ReplicaSet, Integer> sizes(List<ReplicaSet> active) {
        int total = active.stream().mapToInt(DeploymentController::replicas).sum();
        int change = (now.replicas() > 0 ? now.maxTotal() : 0) - total;
        List<ReplicaSet> ordered = new ArrayList<>(active);
        if (change > 0) {
            Collections.reverse(ordered);
        }
        ordered.sort(Comparator.comparing(DeploymentController::replicas, Comparator.reverseOrder()));
        Map<ReplicaSet, Integer> sizes = new LinkedHashMap<>();
        int spread = 0;
        for (ReplicaSet set : ordered) {
            int share = share(DeploymentController.replicas(set), change - spread, change > 0);
            sizes.put(set, DeploymentController.replicas(set) + share);
            spread += share;
        }
        ReplicaSet largest = ordered.get(0);
        int rest = change - spread;
        sizes.computeIfPresent(largest, (set, size) -> Math.max(0, size + rest));
        return sizes;
    }

    /** Implements {@code GetReplicaSetProportion}. */
    private int share(int size, int left, boolean isGrowing) {
        if (left == 0) {
            return 0;
        }
        int fraction = now.replicas() == 0
                ? -size
                : (int) Math.round((double) size * now.maxTotal() / Math.max(1, before.maxTotal())) - size;
        return isGrowing ? Math.min(fraction, left) : Math.max(fraction, left);
    }
}
