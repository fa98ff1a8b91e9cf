package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;

/** A cluster that others watch, too, under the names that a caller may see. */
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

    /** The cluster goes on being watched for others. */
    @Override
    public void close() {}
}
