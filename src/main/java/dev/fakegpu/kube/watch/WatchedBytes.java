package dev.fakegpu.kube.watch;

import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The size of the watched objects that are kept, by kind: as JSON for most, and estimated for the devices of slices. Thread-safe. */
public final class WatchedBytes {

    /** Measured with 26,880 devices of all types of eight A100s. */
    private static final int PER_DEVICE = 400;

    /** The size of a slice's metadata and its other fields except devices. */
    private static final int PER_SLICE = 2000;

    private final KubernetesClient client;
    private final Map<String, Map<String, Kept>> byUid = new ConcurrentHashMap<>();

    /** The size is computed on demand, since most objects change several times before it is needed. */
    private static final class Kept {
        private final HasMetadata object;
        private volatile int bytes = -1;

        Kept(HasMetadata object) {
            this.object = object;
        }
    }

    WatchedBytes(KubernetesClient client) {
        this.client = client;
    }

    /** The number of bytes by kind. */
    public Map<String, Long> totals() {
        var totals = new TreeMap<String, Long>();
        byUid.forEach((kind, sizes) ->
                totals.put(kind, sizes.values().stream().mapToLong(this::size).sum()));
        return totals;
    }

    /** The number of objects by kind. */
    public Map<String, Integer> counts() {
        var counts = new TreeMap<String, Integer>();
        byUid.forEach((kind, sizes) -> counts.put(kind, sizes.size()));
        return counts;
    }

    /** An event handler that counts the objects of an informer. */
    <T extends HasMetadata> ResourceEventHandler<T> counting(String kind) {
        Map<String, Kept> sizes = byUid.computeIfAbsent(kind, ignored -> new ConcurrentHashMap<>());
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                sizes.put(object.getMetadata().getUid(), new Kept(object));
            }

            @Override
            public void onUpdate(T before, T after) {
                onAdd(after);
            }

            @Override
            public void onDelete(T object, boolean finalStateUnknown) {
                sizes.remove(object.getMetadata().getUid());
            }
        };
    }

    private int size(Kept kept) {
        int known = kept.bytes;
        if (known < 0) {
            known = size(kept.object);
            kept.bytes = known;
        }
        return known;
    }

    private int size(HasMetadata object) {
        return object instanceof CompactSlice slice
                ? PER_SLICE + PER_DEVICE * SliceReader.read(slice).devices().size()
                : client.getKubernetesSerialization().asJson(object).length();
    }
}
