package dev.fakegpu.simulate.controller;

import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.function.Consumer;

/** A cluster from the point of view of controllers. */
public interface ControlledCluster extends ObjectClient {

    /** All objects of a kind, in the order of creation. */
    <T extends HasMetadata> List<T> list(Class<T> kind);

    /** The objects of a kind that have this owner, in the order of creation. */
    <T extends HasMetadata> List<T> dependents(HasMetadata owner, Class<T> kind);

    /** The objects that informers would have. */
    ObjectStores stores();

    /** The number of changes so far, except those of Events. */
    long changes();

    /** @param listener receives each object that was created, changed or deleted */
    void addListener(Consumer<HasMetadata> listener);
}
