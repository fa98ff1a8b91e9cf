package dev.fakegpu.operator.schedule.cache;

import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.cluster.fit.DeviceLookup;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.dra.wire.MixinsAnnotation;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.AskedDrivers;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.SliceCache;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slices from which a scheduler allocates, by pool. For the companion, these are the slices of FakeGpus with {@code allocator:
 * Companion}. Not thread-safe.
 */
public final class ManagedSlices {

    private final AllocatorHandover handover;
    private final ObjectStores cluster;
    private final SchedulerProfile profile;
    private Function<ResourceSlice, Slice> reader;
    private MixinsGate mixins;

    /** By name; none if mixins are resolved, as they are in stored slices. */
    private final Map<String, MixinsGate.Visible> visible = new HashMap<>();

    private final SliceCache read = new SliceCache();
    private final Map<PoolId, String> nodeOfPool = new HashMap<>();
    private SliceIndex index;

    ManagedSlices(
            ObjectStores cluster,
            AllocatorHandover handover,
            SchedulerProfile profile,
            AllocatorOptions options,
            MixinsGate mixins) {
        this.cluster = cluster;
        this.profile = profile;
        this.handover = handover;
        this.mixins = mixins;
        reader = reader(options.gate());
        index = new SliceIndex(List.of(), options);
    }

    private Function<ResourceSlice, Slice> reader(GroupsGate gate) {
        Function<ResourceSlice, Slice> stored = profile.reader(cluster.parsedSlices(), gate);
        return slice -> {
            MixinsGate.Visible seen = visible.get(slice.getMetadata().getName());
            return seen == null ? stored.apply(slice) : seen.of(stored.apply(slice));
        };
    }

    SliceIndex index() {
        return index;
    }

    public boolean isManaged(PoolId pool) {
        return index.contains(pool);
    }

    /** The node of a pool that only one node can access; otherwise null. */
    @Nullable String nodeOf(PoolId pool) {
        return nodeOfPool.get(pool);
    }

    /**
     * The FakeGpus of other allocators that have slices of these drivers for one of these nodes. Checks all slices if some have not been
     * read.
     */
    public SortedSet<String> notManagedOn(Collection<NodeInfo> nodes, AskedDrivers drivers) {
        if (cluster.slices().list().size() == read.size()) {
            return Collections.emptySortedSet();
        }
        var names = nodes.stream().map(NodeInfo::name).collect(Collectors.toSet());
        var fakeGpus = new TreeSet<String>();
        for (ResourceSlice stored : cluster.slices().list()) {
            Slice slice = cluster.parsedSlices().asStored(stored);
            if (drivers.include(slice.pool().driver()) && !isManaged(slice.pool()) && isOnOneOf(slice, nodes, names)) {
                ofAnotherAllocator(stored).ifPresent(fakeGpus::add);
            }
        }
        return fakeGpus;
    }

    /** The FakeGpu may be about to be published or handed over. */
    private Optional<String> ofAnotherAllocator(ResourceSlice slice) {
        return FakeGpuOwner.of(slice, name -> cluster.fakeGpus().get(null, name))
                .filter(fakeGpu -> fakeGpu.getSpec().allocator() != profile.allocator())
                .map(fakeGpu -> fakeGpu.getMetadata().getName());
    }

    private static boolean isOnOneOf(Slice slice, Collection<NodeInfo> nodes, Set<String> names) {
        return slice.nodes() instanceof NodeSelection.NodeName only
                ? names.contains(only.name())
                : nodes.stream().anyMatch(node -> slice.nodes().matches(node.name(), node.labels()));
    }

    /** Returns the device of a slice; while a pool has two generations, that of the newer one. */
    public Optional<Device> device(DeviceId id, @Nullable NodeInfo node) {
        return DeviceLookup.in(index).find(id, node);
    }

    /** Returns the groups of a device; while a pool has two generations, those of the newer one. */
    public Optional<CompatibilityGroups> groups(DeviceId id) {
        return device(id, null).map(Device::compatibilityGroups);
    }

    /** Reads the same slices with other options. */
    void use(AllocatorOptions options, MixinsGate gate) {
        mixins = gate;
        reader = reader(options.gate());
        read.readAgain();
        index = new SliceIndex(read.slices(), options);
    }

    /**
     * A pool that changed.
     *
     * @param nodeBefore the only node that could access it before; null if there were several or none
     * @param nodeNow the only node that can access it now; null if there are several or none
     */
    record PoolChange(
            PoolId pool,
            @Nullable String nodeBefore,
            @Nullable String nodeNow) {}

    /** Reads all stored slices. */
    List<PoolChange> refresh() {
        List<ResourceSlice> admitted = handover.slices();
        visible.clear();
        if (mixins != MixinsGate.ON) {
            visible.putAll(MixinsAnnotation.visible(admitted, mixins));
            read.readAgain();
        }
        return apply(read.refresh(admitted.stream(), reader, cluster.readTaintRules()));
    }

    /**
     * Reads the named slices; the time does not depend on the number of other slices. Use it only after changes of slices, not of FakeGpus,
     * DeviceTaintRules or options.
     */
    List<PoolChange> refresh(Collection<String> names) {
        var changes = new ArrayList<SliceCache.Change>();
        for (String name : mixins == MixinsGate.ON ? names : withTheirPools(names)) {
            Optional<ResourceSlice> admitted = cluster.slices().get(null, name).filter(handover::admits);
            (admitted.isPresent() ? read.refresh(admitted.get(), reader) : read.remove(name)).ifPresent(changes::add);
        }
        return apply(changes);
    }

    /** What a slice is without mixins depends on the others of its pool, which have to be read again, too, if they are different now. */
    private Set<String> withTheirPools(Collection<String> names) {
        Set<PoolId> pools = names.stream()
                .flatMap(name -> Stream.concat(
                        Stream.ofNullable(visible.get(name))
                                .map(seen -> seen.slice().pool()),
                        cluster.slices().get(null, name).stream()
                                .map(stored ->
                                        cluster.parsedSlices().asStored(stored).pool())))
                .collect(Collectors.toSet());
        List<ResourceSlice> admitted =
                cluster.slicesIn(pools).filter(handover::admits).toList();
        Set<String> changed = new LinkedHashSet<>(names);
        visible.keySet().removeAll(changed);
        MixinsAnnotation.visible(admitted, mixins).forEach((name, now) -> {
            if (!now.equals(visible.put(name, now))) {
                changed.add(name);
            }
        });
        read.readAgain(changed);
        return changed;
    }

    private List<PoolChange> apply(List<SliceCache.Change> changes) {
        changes.forEach(change -> index.replace(change.before(), change.after()));
        return changes.stream()
                .flatMap(SliceCache.Change::pools)
                .distinct()
                .map(this::changed)
                .toList();
    }

    private PoolChange changed(PoolId pool) {
        String now = onlyNode(index.slices(pool)).orElse(null);
        String before = now == null ? nodeOfPool.remove(pool) : nodeOfPool.put(pool, now);
        return new PoolChange(pool, before, now);
    }

    /** What the companion leaves out of slices because of mixins, by name of the slice. */
    Map<String, MixinsGate.Visible> withoutMixins() {
        return Collections.unmodifiableMap(visible);
    }

    /** Forgets what was computed for a node that is gone. */
    void nodeGone(String name) {
        index.forget(name);
    }

    private static Optional<String> onlyNode(List<Slice> slices) {
        String node = slices.isEmpty() ? "" : nodeName(slices.get(0));
        return !node.isEmpty() && slices.stream().allMatch(slice -> node.equals(nodeName(slice)))
                ? Optional.of(node)
                : Optional.empty();
    }

    private static String nodeName(Slice slice) {
        return slice.nodes() instanceof NodeSelection.NodeName only ? only.name() : "";
    }
}
