package dev.fakegpu.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The size of what is kept of the watched objects, as JSON, by kind. Thread-safe. */
public final class WatchedBytes {

    private final KubernetesClient client;
    private final Map<String, Map<String, Integer>> byUid = new ConcurrentHashMap<>();

    WatchedBytes(KubernetesClient client) {
        this.client = client;
    }

    /** Bytes by kind. */
    public Map<String, Long> totals() {
        var totals = new TreeMap<String, Long>();
        byUid.forEach((kind, sizes) -> totals.put(
                kind, sizes.values().stream().mapToLong(Integer::longValue).sum()));
        return totals;
    }

    /** Counts the objects of an informer. */
    <T extends HasMetadata> ResourceEventHandler<T> counting(String kind) {
        Map<String, Integer> sizes = byUid.computeIfAbsent(kind, ignored -> new ConcurrentHashMap<>());
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                sizes.put(
                        object.getMetadata().getUid(),
                        client.getKubernetesSerialization().asJson(object).length());
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
}
