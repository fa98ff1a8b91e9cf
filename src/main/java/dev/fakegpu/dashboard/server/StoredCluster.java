package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A cluster in stores that are kept up to date elsewhere: those of the operator, or of a cluster in memory. */
public final class StoredCluster implements LiveCluster {

    /** Kinds that explanations must not treat as absent. */
    private static final List<Unseen> NOT_STORED =
            List.of(new Unseen(ObjectKind.DISRUPTION_BUDGETS, "list", null, Unseen.Cause.FORBIDDEN));

    private static final Unseen NO_POD_GROUPS =
            new Unseen(ObjectKind.POD_GROUPS, "list", null, Unseen.Cause.NOT_SERVED);

    private final ObjectStores stores;
    private final Supplier<List<HasMetadata>> others;
    private final BooleanSupplier connected;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param connected whether the stores are currently kept up to date */
    public StoredCluster(ObjectStores stores, BooleanSupplier connected) {
        this(stores, List::of, connected);
    }

    /** @param others objects that are in no store; their changes are noticed with the next change of a store */
    public StoredCluster(ObjectStores stores, Supplier<List<HasMetadata>> others, BooleanSupplier connected) {
        this.stores = stores;
        this.others = others;
        this.connected = connected;
        all().forEach(store -> store.addListener((before, after) -> listeners.forEach(Runnable::run)));
    }

    private Stream<ObjectStore<? extends HasMetadata>> all() {
        return Stream.of(
                stores.slices(),
                stores.deviceClasses(),
                stores.claims(),
                stores.taintRules(),
                stores.pods(),
                stores.podGroups(),
                stores.nodes(),
                stores.namespaces(),
                stores.fakeGpus(),
                stores.settings());
    }

    @Override
    public ClusterObjects objects() {
        List<HasMetadata> objects = new ArrayList<>(others.get());
        all().forEach(store -> objects.addAll(store.list()));
        return ClusterObjects.of(objects).withUnseen(unseen());
    }

    private List<Unseen> unseen() {
        return stores.knowsPodGroups()
                ? NOT_STORED
                : Stream.concat(NOT_STORED.stream(), Stream.of(NO_POD_GROUPS)).toList();
    }

    @Override
    public void addListener(Runnable listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(Runnable listener) {
        listeners.remove(listener);
    }

    @Override
    public boolean isConnected() {
        return connected.getAsBoolean();
    }

    /** Does nothing, since this object does not own the stores. */
    @Override
    public void close() {}
}
