package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStores;

/** Removes deleted PodGroups once all of their pods have ended ({@code pkg/controller/scheduling/podgroupprotection}). */
public final class PodGroupProtection {

    private final ControlledCluster cluster;

    PodGroupProtection(ControlledCluster cluster) {
        this.cluster = cluster;
    }

    /** Whether the group has pods that have not ended. */
    public static boolean isUsed(PodGroup group, ObjectStores stores) {
        var metadata = group.getMetadata();
        return stores.podsOfGroup(metadata.getNamespace(), metadata.getName()).stream()
                .anyMatch(pod -> !PodState.hasEnded(pod));
    }

    void sync(PodGroup group) {
        if (group.getMetadata().getDeletionTimestamp() != null && !isUsed(group, cluster.stores())) {
            cluster.deleteImmediately(group);
        }
    }
}
