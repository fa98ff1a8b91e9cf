package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.client.ObjectClient;
import dev.fakegpu.client.UnreadableFields;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.slices.PoolPlan;
import dev.fakegpu.slices.ServedFields;
import dev.fakegpu.slices.SliceField;
import dev.fakegpu.watch.ObjectStore;
import dev.fakegpu.watch.ObjectStores;
import dev.fakegpu.watch.ParsedSlices;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Makes the stored slices of a pool equal the desired ones, and checks which of their fields the API server stored. */
final class PoolPublisher {

    private static final Logger LOG = Logger.getLogger(PoolPublisher.class);

    private final ObjectClient client;
    private final ObjectStore<ResourceSlice> slices;
    private final ParsedSlices parsedSlices;
    private final ServerFeatures features;

    PoolPublisher(ObjectClient client, ObjectStores cluster, ServerFeatures features) {
        this.client = client;
        this.slices = cluster.slices();
        this.parsedSlices = cluster.parsedSlices();
        this.features = features;
    }

    /**
     * Makes the pool consist of exactly these slices.
     *
     * @param stored the FakeGpu's slices that are stored in the pool
     * @param desired the desired slices with all their fields, including compatibility groups
     * @param groups whether the groups go into the slices or into their annotations
     * @return whether anything was written
     */
    boolean publish(
            FakeGpu fakeGpu, PoolId pool, List<ResourceSlice> stored, List<Slice> desired, GroupPublishing groups) {
        var served = groups.writable(features.fields());
        Map<String, Slice> byName = desired.stream().collect(Collectors.toMap(Slice::name, Function.identity()));
        var plan = PoolPlan.of(
                desired.stream().map(served::strip).toList(),
                stored.stream().map(parsedSlices::asStored).toList(),
                stale(fakeGpu, stored, byName, served));
        plan.delete().forEach(name -> delete(named(stored, name)));
        plan.apply().forEach(slice -> {
            var complete =
                    Objects.requireNonNull(byName.get(slice.name())).withPool(slice.generation(), slice.sliceCount());
            apply(fakeGpu, slice, annotation(complete, served));
        });
        if (!plan.isEmpty()) {
            LOG.infof(
                    "pool %s: generation %s, %s slices applied, %s deleted",
                    pool, plan.generation(), plan.apply().size(), plan.delete().size());
        }
        return !plan.isEmpty();
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
                    // Without it, the pool would look incomplete and be written again and again.
                    throw new IllegalStateException("ResourceSlice %s: %s"
                            .formatted(
                                    slice.getMetadata().getName(),
                                    UnreadableFields.of(slice).orElseThrow()));
                });
        return slices.list().stream()
                .filter(slice -> FakeGpuOwner.owns(fakeGpu, slice))
                .collect(Collectors.groupingBy(PoolPublisher::pool, TreeMap::new, Collectors.toList()));
    }

    /** The slices in these pools that do not belong to the FakeGpu. */
    List<ResourceSlice> foreign(FakeGpu fakeGpu, Set<PoolId> pools) {
        return slices.list().stream()
                .filter(slice -> !FakeGpuOwner.owns(fakeGpu, slice))
                .filter(slice -> pools.contains(pool(slice)))
                .toList();
    }

    static PoolId pool(ResourceSlice slice) {
        return new PoolId(slice.getSpec().getDriver(), slice.getSpec().getPool().getName());
    }

    /** The value of the groups annotation; null if the groups are in the slice itself. */
    private static @Nullable String annotation(Slice complete, ServedFields served) {
        return served.serves(SliceField.COMPATIBILITY_GROUPS) ? null : GroupsAnnotation.write(complete);
    }

    /** Names of the desired slices that are stored without the desired label or annotation. */
    private static Set<String> stale(
            FakeGpu fakeGpu, List<ResourceSlice> stored, Map<String, Slice> desired, ServedFields served) {
        return stored.stream()
                .filter(slice -> {
                    Slice complete = desired.get(slice.getMetadata().getName());
                    if (complete == null) {
                        return false;
                    }
                    var pool = slice.getSpec().getPool();
                    var annotation =
                            annotation(complete.withPool(pool.getGeneration(), pool.getResourceSliceCount()), served);
                    return !Objects.equals(annotation, GroupsAnnotation.text(slice)) || !hasLabel(fakeGpu, slice);
                })
                .map(slice -> slice.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    private static boolean hasLabel(FakeGpu fakeGpu, ResourceSlice slice) {
        var labels = slice.getMetadata().getLabels();
        return labels != null && fakeGpu.getMetadata().getName().equals(labels.get(Labels.FAKEGPU));
    }

    private void apply(FakeGpu fakeGpu, Slice slice, @Nullable String annotation) {
        var desired = SliceWriter.write(slice);
        desired.getMetadata()
                .setLabels(Map.of(Labels.FAKEGPU, fakeGpu.getMetadata().getName(), Labels.MANAGED_BY, Labels.OPERATOR));
        desired.getMetadata().setOwnerReferences(List.of(FakeGpuOwner.reference(fakeGpu)));
        if (annotation != null) {
            desired.getMetadata().setAnnotations(Map.of(GroupsAnnotation.KEY, annotation));
        }
        var stored = client.apply(desired);
        slices.written(stored);
        features.lost(ServedFields.lost(slice, parsedSlices.asStored(stored)));
    }

    private void delete(ResourceSlice slice) {
        client.delete(slice);
        slices.deleted(slice);
    }

    private static ResourceSlice named(Collection<ResourceSlice> slices, String name) {
        return slices.stream()
                .filter(slice -> slice.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
