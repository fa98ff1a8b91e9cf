package dev.fakegpu.kube.watch;

import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.kube.client.UnreadableFields;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jboss.logging.Logger;

/**
 * The watched objects with {@link UnreadableFields}. Each version of such an object is logged once, except slices without devices, since
 * there may be thousands of them at once. Thread-safe.
 */
public final class UnreadableObjects {

    private static final Logger LOG = Logger.getLogger(UnreadableObjects.class);

    private final Map<String, List<ObjectStore<?>>> stores = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param listener called for each new object with unreadable fields, and for each new version of one */
    public void addListener(Runnable listener) {
        listeners.add(listener);
    }

    /** All objects except slices without devices. */
    public List<? extends HasMetadata> list() {
        return stores.values().stream()
                .flatMap(List::stream)
                .flatMap(store -> store.unreadable().stream())
                .filter(object -> !CompactSlice.isWithoutDevices(object))
                .toList();
    }

    /** The number of objects by watched kind. */
    public Map<String, Integer> counts() {
        var counts = new TreeMap<String, Integer>();
        stores.forEach((kind, ofKind) -> counts.put(
                kind,
                ofKind.stream().mapToInt(store -> store.unreadable().size()).sum()));
        return counts;
    }

    /** Wraps the store in an event handler for an informer that also reports objects with unreadable fields. */
    <T extends HasMetadata> ResourceEventHandler<T> reporting(String kind, ObjectStore<T> store) {
        stores.computeIfAbsent(kind, ignored -> new CopyOnWriteArrayList<>()).add(store);
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                store.onAdd(object);
                report(object);
            }

            @Override
            public void onUpdate(T before, T after) {
                store.onUpdate(before, after);
                report(after);
            }

            @Override
            public void onDelete(T object, boolean finalStateUnknown) {
                store.onDelete(object, finalStateUnknown);
            }
        };
    }

    private void report(HasMetadata object) {
        UnreadableFields.of(object)
                .filter(fields -> !CompactSlice.isWithoutDevices(object))
                .ifPresent(fields -> {
                    var metadata = object.getMetadata();
                    LOG.warnf(
                            "%s %s%s, version %s: %s",
                            object.getKind(),
                            metadata.getNamespace() == null ? "" : metadata.getNamespace() + "/",
                            metadata.getName(),
                            metadata.getResourceVersion(),
                            fields);
                    listeners.forEach(Runnable::run);
                });
    }
}
