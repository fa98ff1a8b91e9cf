package dev.fakegpu.operator.explainer;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.cluster.pending.DeviceSource;
import dev.fakegpu.cluster.pending.PendingReasons;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.kube.watch.SliceCache;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The slices of any driver from which kube-scheduler allocates, plus the slices of one pool of each FakeGpu. The companion's other slices
 * are not kept here, since there may be many and kube-scheduler never allocates from them. Not thread-safe.
 */
final class KubeSchedulerSlices {

    private final SliceCache read = new SliceCache();
    private Map<Optional<DeviceSource>, List<Slice>> samples = Map.of();
    private AllocatorOptions options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());
    private SliceIndex index = new SliceIndex(List.of(), options);

    SliceIndex index() {
        return index;
    }

    /** One pool of each source, as {@link PendingReasons.State} takes them. */
    Map<Optional<DeviceSource>, List<Slice>> samples() {
        return samples;
    }

    /** Reads the stored slices. */
    void refresh(ClusterWatch cluster, AllocatorOptions newOptions) {
        Map<String, FakeGpu> fakeGpus = cluster.fakeGpus().list().stream()
                .collect(Collectors.toMap(fakeGpu -> fakeGpu.getMetadata().getName(), Function.identity()));
        var sourceOfPool = new HashMap<PoolId, DeviceSource>();
        var ofKubeScheduler = new ArrayList<ResourceSlice>();
        var sampledPool = new HashMap<DeviceSource, PoolId>();
        var newSamples = new HashMap<Optional<DeviceSource>, List<Slice>>();
        for (ResourceSlice slice : cluster.slices().list()) {
            Optional<DeviceSource> source = source(slice, fakeGpus);
            source.ifPresent(each -> {
                PoolId pool = SliceReader.pool(slice);
                sourceOfPool.put(pool, each);
                if (sampledPool.computeIfAbsent(each, ignored -> pool).equals(pool)) {
                    newSamples
                            .computeIfAbsent(source, ignored -> new ArrayList<>())
                            .add(cluster.parsedSlices().asStored(slice));
                }
            });
            if (source.filter(each -> each.allocator() == AllocatorName.Companion)
                    .isEmpty()) {
                ofKubeScheduler.add(slice);
            }
        }
        index(
                read.refresh(ofKubeScheduler.stream(), cluster.parsedSlices()::asStored, cluster.readTaintRules()),
                newOptions);
        newSamples.put(
                Optional.empty(),
                read.slices().stream()
                        .filter(slice -> !sourceOfPool.containsKey(slice.pool()))
                        .toList());
        samples = newSamples;
    }

    private void index(List<SliceCache.Change> changes, AllocatorOptions newOptions) {
        if (newOptions.gate() != options.gate()) {
            options = newOptions;
            index = new SliceIndex(read.slices(), options);
        } else {
            changes.forEach(change -> index.replace(change.before(), change.after()));
        }
    }

    private static Optional<DeviceSource> source(ResourceSlice slice, Map<String, FakeGpu> fakeGpus) {
        return FakeGpuOwner.of(slice, name -> Optional.ofNullable(fakeGpus.get(name)))
                .map(fakeGpu -> new DeviceSource(
                        fakeGpu.getMetadata().getName(), fakeGpu.getSpec().allocator()));
    }
}
