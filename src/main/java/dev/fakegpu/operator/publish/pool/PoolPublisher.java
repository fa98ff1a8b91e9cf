package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.hardware.slices.PoolPlan;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.ParsedSlices;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Makes the stored slices of a pool equal to the desired ones, and checks which of their fields the API server stored. */
final class PoolPublisher {

    private static final Logger LOG = Logger.getLogger(PoolPublisher.class);

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final ObjectStore<ResourceSlice> slices;
    private final ParsedSlices parsedSlices;
    private final ServerFeatures features;

    PoolPublisher(ObjectClient client, ObjectStores cluster, ServerFeatures features) {
        this.client = client;
        this.cluster = cluster;
        this.slices = cluster.slices();
        this.parsedSlices = cluster.parsedSlices();
        this.features = features;
    }

    /**
     * The result of publishing a pool.
     *
     * @param written whether anything was written
     * @param stored the stored slices of the pool after the writes
     * @param isUpToDate whether they are the desired ones; if not, the API server stored something else
     */
    record Publication(boolean written, List<ResourceSlice> stored, boolean isUpToDate) {}

    /**
     * Writes the pool so that it has exactly these slices.
     *
     * @param stored the FakeGpu's stored slices in the pool
     * @param desired the desired slices with all their fields, including compatibility groups
     * @param groups whether the groups go into the slices or into their annotations
     * @param read whether to read created slices back instead of assuming that they are stored as sent
     */
    Publication publish(
            FakeGpu fakeGpu,
            PoolId pool,
            List<ResourceSlice> stored,
            List<Slice> desired,
            GroupPublishing groups,
            boolean read) {
        var served = groups.writable(features.fields());
        Map<String, Slice> complete = byName(desired);
        var stripped = desired.stream().map(served::strip).toList();
        var plan = plan(fakeGpu, stored, complete, stripped, served);
        if (plan.isEmpty()) {
            return new Publication(false, stored, true);
        }
        var after = stored.stream().collect(Collectors.toMap(PoolPublisher::name, Function.identity()));
        plan.delete().forEach(name -> delete(Objects.requireNonNull(after.remove(name))));
        plan.apply().forEach(slice -> {
            var annotated =
                    Objects.requireNonNull(complete.get(slice.name())).withPool(slice.generation(), slice.sliceCount());
            after.put(
                    slice.name(),
                    write(
                            fakeGpu,
                            after.get(slice.name()),
                            slice,
                            SliceAnnotations.of(fakeGpu.getSpec(), annotated, served),
                            read));
        });
        LOG.debugf(
                "pool %s: generation %s, %s slices written, %s deleted",
                pool, plan.generation(), plan.apply().size(), plan.delete().size());
        var now = List.copyOf(after.values());
        boolean isUpToDate = (stored.isEmpty() && !read)
                || plan(fakeGpu, now, complete, stripped, served).isEmpty();
        return new Publication(true, now, isUpToDate);
    }

    private PoolPlan plan(
            FakeGpu fakeGpu,
            List<ResourceSlice> stored,
            Map<String, Slice> complete,
            List<Slice> stripped,
            ServedFields served) {
        return PoolPlan.of(
                stripped,
                stored.stream().map(parsedSlices::asStored).toList(),
                stale(fakeGpu, stored, complete, served));
    }

    void remove(List<ResourceSlice> stored) {
        stored.forEach(this::delete);
    }

    /** The stored slices of a FakeGpu, by pool. */
    Map<PoolId, List<ResourceSlice>> stored(FakeGpu fakeGpu) {
        slices.leftOut().stream()
                .filter(slice -> FakeGpuOwner.owns(fakeGpu, slice))
                .findFirst()
                .ifPresent(slice -> {
                    // Otherwise, the pool would look incomplete and be written again and again.
                    throw new IllegalStateException("ResourceSlice %s: %s"
                            .formatted(
                                    slice.getMetadata().getName(),
                                    UnreadableFields.of(slice).orElseThrow()));
                });
        return slices.list().stream()
                .filter(slice -> FakeGpuOwner.owns(fakeGpu, slice))
                .collect(Collectors.groupingBy(SliceReader::pool, TreeMap::new, Collectors.toList()));
    }

    /** The slices in these pools that do not belong to the FakeGpu. */
    List<ResourceSlice> foreign(FakeGpu fakeGpu, Set<PoolId> pools) {
        return cluster.slicesIn(pools)
                .filter(slice -> !FakeGpuOwner.owns(fakeGpu, slice))
                .toList();
    }

    /** Names of the desired slices that are stored without the desired label or annotations. */
    private static Set<String> stale(
            FakeGpu fakeGpu, List<ResourceSlice> stored, Map<String, Slice> desired, ServedFields served) {
        return stored.stream()
                .filter(slice -> {
                    Slice complete = desired.get(slice.getMetadata().getName());
                    if (complete == null) {
                        return false;
                    }
                    var pool = slice.getSpec().getPool();
                    var annotations = SliceAnnotations.of(
                            fakeGpu.getSpec(),
                            complete.withPool(pool.getGeneration(), pool.getResourceSliceCount()),
                            served);
                    return !annotations.equals(SliceAnnotations.of(slice.getMetadata())) || !hasLabel(fakeGpu, slice);
                })
                .map(slice -> slice.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static boolean hasLabel(FakeGpu fakeGpu, ResourceSlice slice) {
        var labels = slice.getMetadata().getLabels();
        return labels != null && fakeGpu.getMetadata().getName().equals(labels.get(Labels.FAKEGPU));
    }

    /** @param stored the slice that it replaces; null if there is none */
    private ResourceSlice write(
            FakeGpu fakeGpu,
            @Nullable ResourceSlice stored,
            Slice slice,
            Map<String, String> annotations,
            boolean read) {
        var written = stored == null
                ? create(fakeGpu, slice, annotations, read)
                : replaceOrCreate(fakeGpu, stored, slice, annotations, read);
        slices.written(written);
        features.lost(ServedFields.lost(slice, SliceReader.read(written)));
        return written;
    }

    /**
     * Creates a slice whose name may be taken. If the watch has not reported a slice of this FakeGpu yet, for example after a restart, the
     * pool is planned again with this slice. A slice of a former FakeGpu with the same name, which the garbage collector would remove, is
     * taken over.
     */
    private ResourceSlice create(FakeGpu fakeGpu, Slice slice, Map<String, String> annotations, boolean read) {
        var metadata = metadata(fakeGpu, slice);
        if (!annotations.isEmpty()) {
            metadata.setAnnotations(annotations);
        }
        var created = CompactSlice.of(metadata, slice);
        try {
            return read ? client.<ResourceSlice>create(created) : client.createUnread(created);
        } catch (KubernetesClientException e) {
            var existing = e.getCode() == HttpURLConnection.HTTP_CONFLICT ? client.<ResourceSlice>get(created) : null;
            if (existing == null) {
                throw e;
            }
            slices.written(existing);
            if (FakeGpuOwner.owns(fakeGpu, existing)) {
                throw e;
            }
            return replace(fakeGpu, existing, slice, annotations);
        }
    }

    /** Creates the slice if it is gone before the watch reports that: a kubelet deletes all slices of its node when it starts. */
    private ResourceSlice replaceOrCreate(
            FakeGpu fakeGpu, ResourceSlice stored, Slice slice, Map<String, String> annotations, boolean read) {
        try {
            return replace(fakeGpu, stored, slice, annotations);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
            slices.deleted(stored);
            return create(fakeGpu, slice, annotations, read);
        }
    }

    private ResourceSlice replace(FakeGpu fakeGpu, ResourceSlice stored, Slice slice, Map<String, String> annotations) {
        var ours = metadata(fakeGpu, slice);
        var metadata = new ObjectMetaBuilder(stored.getMetadata())
                .addToLabels(ours.getLabels())
                .withOwnerReferences(ours.getOwnerReferences())
                .build();
        metadata.setAnnotations(SliceAnnotations.replaced(stored.getMetadata(), annotations));
        return client.replace(CompactSlice.of(metadata, slice));
    }

    private static ObjectMeta metadata(FakeGpu fakeGpu, Slice slice) {
        return new ObjectMetaBuilder()
                .withName(slice.name())
                .withLabels(Map.of(Labels.FAKEGPU, fakeGpu.getMetadata().getName(), Labels.MANAGED_BY, Labels.OPERATOR))
                .withOwnerReferences(FakeGpuOwner.reference(fakeGpu))
                .build();
    }

    private void delete(ResourceSlice slice) {
        client.delete(slice);
        slices.deleted(slice);
    }

    private static Map<String, Slice> byName(List<Slice> slices) {
        return slices.stream().collect(Collectors.toMap(Slice::name, Function.identity()));
    }

    private static String name(ResourceSlice slice) {
        return slice.getMetadata().getName();
    }
}
