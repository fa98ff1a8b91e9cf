package dev.fakegpu.explainer;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.GroupsGate;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.SliceCache;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The slices that kube-scheduler gives devices away from, of whatever driver, and a sample of the others. Those of the companion are
 * too many to be kept twice, and kube-scheduler never takes any. For one thread.
 */
final class KubeSchedulerSlices {

    private final SliceCache read = new SliceCache();
    private Map<Optional<DeviceOwner>, List<Slice>> offered = Map.of();
    private AllocatorOptions options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());
    private SliceIndex index = new SliceIndex(List.of(), options);

    SliceIndex index() {
        return index;
    }

    /** See {@link DeviceOwners}. */
    Map<Optional<DeviceOwner>, List<Slice>> offered() {
        return offered;
    }

    /** Takes what is stored now. */
    void refresh(ClusterWatch cluster, AllocatorOptions newOptions) {
        Map<String, FakeGpu> fakeGpus = cluster.fakeGpus().list().stream()
                .collect(Collectors.toMap(fakeGpu -> fakeGpu.getMetadata().getName(), Function.identity()));
        var ownerOfPool = new HashMap<PoolId, DeviceOwner>();
        var ofKubeScheduler = new ArrayList<ResourceSlice>();
        var sampledPool = new HashMap<DeviceOwner, PoolId>();
        var samples = new HashMap<Optional<DeviceOwner>, List<Slice>>();
        for (ResourceSlice slice : cluster.slices().list()) {
            Optional<DeviceOwner> owner = owner(slice, fakeGpus);
            owner.ifPresent(each -> {
                PoolId pool = pool(slice);
                ownerOfPool.put(pool, each);
                if (sampledPool.computeIfAbsent(each, ignored -> pool).equals(pool)) {
                    samples.computeIfAbsent(owner, ignored -> new ArrayList<>())
                            .add(cluster.parsedSlices().asStored(slice));
                }
            });
            if (owner.filter(each -> each.allocator() == AllocatorName.Companion)
                    .isEmpty()) {
                ofKubeScheduler.add(slice);
            }
        }
        index(
                read.refresh(ofKubeScheduler.stream(), cluster.parsedSlices()::asStored, cluster.readTaintRules()),
                newOptions);
        samples.put(
                Optional.empty(),
                read.slices().stream()
                        .filter(slice -> !ownerOfPool.containsKey(slice.pool()))
                        .toList());
        offered = samples;
    }

    private void index(Set<PoolId> changed, AllocatorOptions newOptions) {
        if (newOptions.gate() != options.gate()) {
            options = newOptions;
            index = new SliceIndex(read.slices(), options);
        } else if (!changed.isEmpty()) {
            index = index.update(read.slices());
        }
    }

    private static Optional<DeviceOwner> owner(ResourceSlice slice, Map<String, FakeGpu> fakeGpus) {
        return Optional.ofNullable(fakeGpus.get(SchedulableNode.labels(slice).getOrDefault(Labels.FAKEGPU, "")))
                .map(fakeGpu -> new DeviceOwner(
                        fakeGpu.getMetadata().getName(), fakeGpu.getSpec().allocator()));
    }

    private static PoolId pool(ResourceSlice slice) {
        return new PoolId(slice.getSpec().getDriver(), slice.getSpec().getPool().getName());
    }
}
