package dev.fakegpu.kube.watch;

import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The size of what is kept of the watched objects, by kind: as JSON, and an estimate for the devices of slices. Thread-safe. */
public final class WatchedBytes {

    /** Measured: 26,880 devices of all types of eight A100. */
    private static final int PER_DEVICE = 400;

    /** Its metadata, and what it has besides devices. */
    private static final int PER_SLICE = 2000;

    private final KubernetesClient client;
    private final Map<String, Map<String, Kept>> byUid = new ConcurrentHashMap<>();

    /** Its size is computed when it is asked for: most objects change several times before that. */
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

    /** Bytes by kind. */
    public Map<String, Long> totals() {
        var totals = new TreeMap<String, Long>();
        byUid.forEach((kind, sizes) ->
                totals.put(kind, sizes.values().stream().mapToLong(this::size).sum()));
        return totals;
    }

    /** Number of objects by kind. */
    public Map<String, Integer> counts() {
        var counts = new TreeMap<String, Integer>();
        byUid.forEach((kind, sizes) -> counts.put(kind, sizes.size()));
        return counts;
    }

    /** Counts the objects of an informer. */
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
