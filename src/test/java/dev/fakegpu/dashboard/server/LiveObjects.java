package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster in memory, which reports changes immediately. */
class LiveObjects implements LiveCluster {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile ClusterObjects objects;
    private volatile boolean connected = true;

    LiveObjects(List<HasMetadata> objects) {
        this.objects = ClusterObjects.of(objects);
    }

    /** Adds objects, or replaces those with the same names. */
    final void add(List<HasMetadata> added) {
        change(objects.with(added));
    }

    final void change(ClusterObjects changed) {
        objects = changed;
        listeners.forEach(Runnable::run);
    }

    final void connected(boolean isConnected) {
        connected = isConnected;
    }

    @Override
    public final ClusterObjects objects() {
        return objects;
    }

    @Override
    public final void addListener(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public final void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    @Override
    public final boolean isConnected() {
        return connected;
    }

    @Override
    public final void close() {}
}
