package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;

/** The objects of a cluster, kept up to date. */
public interface LiveCluster extends AutoCloseable {

    /** The objects as they are currently known. */
    ClusterObjects objects();

    /** @param listener called after objects have changed, on any thread; it must return quickly */
    void addListener(Runnable listener);

    /** @param listener a listener that was added and is no longer called */
    void removeListener(Runnable listener);

    /** Whether changes are noticed, that is, whether the API server responds. */
    boolean isConnected();

    @Override
    void close();
}
