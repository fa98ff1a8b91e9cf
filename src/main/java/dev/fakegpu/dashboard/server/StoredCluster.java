package dev.fakegpu.dashboard.server;

import dev.fakegpu.snapshot.ClusterObjects;
import dev.fakegpu.watch.ObjectStore;
import dev.fakegpu.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Stores that somebody else keeps up to date: those of the operator, or of a cluster in memory. */
public final class StoredCluster implements LiveCluster {

    private final ObjectStores stores;
    private final BooleanSupplier connected;

    /** @param connected whether the stores are kept up to date at present */
    public StoredCluster(ObjectStores stores, BooleanSupplier connected) {
        this.stores = stores;
        this.connected = connected;
    }

    private Stream<ObjectStore<? extends HasMetadata>> all() {
        return Stream.of(
                stores.slices(),
                stores.deviceClasses(),
                stores.claims(),
                stores.taintRules(),
                stores.pods(),
                stores.nodes(),
                stores.namespaces(),
                stores.fakeGpus(),
                stores.settings());
    }

    @Override
    public ClusterObjects objects() {
        List<HasMetadata> objects = new ArrayList<>();
        all().forEach(store -> objects.addAll(store.list()));
        return ClusterObjects.of(objects);
    }

    @Override
    public void addListener(Runnable listener) {
        all().forEach(store -> store.addListener((before, after) -> listener.run()));
    }

    @Override
    public boolean isConnected() {
        return connected.getAsBoolean();
    }

    /** The stores are not this object's. */
    @Override
    public void close() {}
}
