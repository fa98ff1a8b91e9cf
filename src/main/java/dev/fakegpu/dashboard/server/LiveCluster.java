package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;

/** The objects of a cluster, kept up to date. */
public interface LiveCluster extends AutoCloseable {

    /** The objects as they are known now. */
    ClusterObjects objects();

    /** @param listener called after objects have changed, on any thread; it must return quickly */
    void addListener(Runnable listener);

    /** @param listener which was added, and is not called any more */
    void removeListener(Runnable listener);

    /** Whether changes would be noticed: the API server answers. */
    boolean isConnected();

    @Override
    void close();
}
