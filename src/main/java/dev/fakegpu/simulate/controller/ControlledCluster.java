package dev.fakegpu.simulate.controller;

import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.Consumer;

/** A cluster as controllers see it. */
public interface ControlledCluster extends ObjectClient {

    /** All objects of a kind, in the order in which they were created. */
    <T extends HasMetadata> List<T> list(Class<T> kind);

    /** The objects of a kind that name the owner, in the order in which they were created. */
    <T extends HasMetadata> List<T> dependents(HasMetadata owner, Class<T> kind);

    /** What informers would have. */
    ObjectStores stores();

    /** Number of changes so far, without Events. */
    long changes();

    /** @param listener receives each object that was created, changed or deleted */
    void addListener(Consumer<HasMetadata> listener);
}
