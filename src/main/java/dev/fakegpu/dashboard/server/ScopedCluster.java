package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;

/** A cluster that others also watch, with only the names that a caller may see. */
final class ScopedCluster implements LiveCluster {

    private final LiveCluster cluster;
    private final WithheldNames names;

    ScopedCluster(LiveCluster cluster, Visibility visibility) {
        this.cluster = cluster;
        names = new WithheldNames(visibility);
    }

    @Override
    public synchronized ClusterObjects objects() {
        return names.withhold(cluster.objects());
    }

    @Override
    public void addListener(Runnable listener) {
        cluster.addListener(listener);
    }

    @Override
    public void removeListener(Runnable listener) {
        cluster.removeListener(listener);
    }

    @Override
    public boolean isConnected() {
        return cluster.isConnected();
    }

    /** Does not stop watching the cluster, since others use it. */
    @Override
    public void close() {}
}
