package dev.fakegpu.schedule;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.watch.ObjectStores;
import dev.fakegpu.watch.SliceCache;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/** The slices from which a scheduler allocates, for the companion those of FakeGpus with {@code allocator: Companion}, by pool. Not thread-safe. */
final class ManagedSlices {

    private final AllocatorHandover handover;
    private final ObjectStores cluster;
    private final SchedulerProfile profile;
    private Function<ResourceSlice, Slice> reader;
    private final SliceCache read = new SliceCache();
    private Map<PoolId, List<Slice>> byPool = Map.of();
    private Map<PoolId, String> nodeOfPool = Map.of();
    private SliceIndex index;

    ManagedSlices(
            ObjectStores cluster, AllocatorHandover handover, SchedulerProfile profile, AllocatorOptions options) {
        this.cluster = cluster;
        this.profile = profile;
        this.handover = handover;
        reader = profile.reader(cluster.parsedSlices(), options.gate());
        index = new SliceIndex(List.of(), options);
    }

    SliceIndex index() {
        return index;
    }

    boolean isManaged(PoolId pool) {
        return byPool.containsKey(pool);
    }

    Set<PoolId> pools() {
        return byPool.keySet();
    }

    /** The node of each pool that only one node can access. */
    Map<PoolId, String> nodeOfPool() {
        return nodeOfPool;
    }

    /** FakeGpus with slices for one of these nodes from which the companion may not allocate. Goes through all slices. */
    SortedSet<String> notManagedOn(Collection<NodeInfo> nodes) {
        var fakeGpus = new TreeSet<String>();
        for (ResourceSlice stored : cluster.slices().list()) {
            Slice slice = cluster.parsedSlices().asStored(stored);
            boolean isThere = !isManaged(slice.pool())
                    && nodes.stream().anyMatch(node -> slice.nodes().matches(node.name(), node.labels()));
            if (isThere) {
                FakeGpuOwner.name(stored).ifPresent(fakeGpus::add);
            }
        }
        return fakeGpus;
    }

    /** The groups of a device according to its slice; while a pool has two generations, according to the newer one. */
    Optional<CompatibilityGroups> groups(DeviceId id) {
        return byPool.getOrDefault(id.poolId(), List.of()).stream()
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .findFirst()
                .map(device -> device.compatibilityGroups());
    }

    /** Reads the same slices with other options. */
    void use(AllocatorOptions options) {
        reader = profile.reader(cluster.parsedSlices(), options.gate());
        read.readAgain();
        index = new SliceIndex(read.slices(), options);
    }

    /**
     * Reads the stored slices.
     *
     * @return the pools that changed
     */
    Set<PoolId> refresh() {
        Set<PoolId> changed = read.refresh(handover.slices().stream(), reader, cluster.readTaintRules());
        if (!changed.isEmpty()) {
            index = index.update(read.slices());
            findPools();
        }
        return changed;
    }

    private void findPools() {
        byPool = new HashMap<>();
        read.slices()
                .forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                        .add(slice));
        byPool.values()
                .forEach(slices ->
                        slices.sort(Comparator.comparingLong(Slice::generation).reversed()));
        nodeOfPool = new HashMap<>();
        byPool.forEach((pool, slices) -> onlyNode(slices).ifPresent(node -> nodeOfPool.put(pool, node)));
    }

    private static Optional<String> onlyNode(List<Slice> slices) {
        String node = nodeName(slices.get(0));
        return !node.isEmpty() && slices.stream().allMatch(slice -> node.equals(nodeName(slice)))
                ? Optional.of(node)
                : Optional.empty();
    }

    private static String nodeName(Slice slice) {
        return slice.nodes() instanceof NodeSelection.NodeName only ? only.name() : "";
    }
}
