package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolBuilder;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a cluster, indexed by node and by pool, and the pools built from them. Upstream:
 * {@code structured/internal/experimental/pools_experimental.go}.
 *
 * <p>Pools are kept, also across {@link #update}, as long as their slices are the same objects. The time to find a node's pools is
 * proportional to the number of slices that may concern the node, not to that of all slices. The time of {@link #replace} is proportional
 * to the number of slices of one pool. Thread-safe, except for {@link #replace} and {@link #forget}.
 */
public final class SliceIndex {

    private final boolean ignoresGroups;
    private final SlicesByNode byNode = new SlicesByNode();

    /** The slices by their position among all slices. */
    private final NavigableMap<Integer, Slice> leftOut = new TreeMap<>();

    private final Map<PoolId, OfPool> byPool = new HashMap<>();
    private int nextPosition;
    private final BuiltPools built;

    /** The pools of the nodes that were looked up, by the name of the node. */
    private final Map<String, NodePools> views = new ConcurrentHashMap<>();

    /** A slice with its position among all slices. */
    private record Entry(int position, Slice slice) {}

    /** The slices of one pool in their order, and which of them count in each generation. */
    private static final class OfPool {
        private final List<Entry> entries = new ArrayList<>();
        private final NavigableMap<Long, Generation> generations = new TreeMap<>();

        Generation of(long generation) {
            return generations.computeIfAbsent(generation, ignored -> new Generation());
        }

        long newest() {
            return generations.lastKey();
        }

        boolean isOnlyFor(String node) {
            for (Entry entry : entries) {
                if (!node.equals(SlicesByNode.onlyNode(entry.slice()))) {
                    return false;
                }
            }
            return true;
        }

        @SuppressWarnings("ReferenceEquality") // an equal slice is another one
        Entry remove(Slice slice) {
            int place = 0;
            while (entries.get(place).slice() != slice) {
                place++;
            }
            return entries.remove(place);
        }

        Stream<Slice> slices() {
            return entries.stream().map(Entry::slice);
        }
    }

    private static final class Generation {
        private final List<Slice> counted = new ArrayList<>();
        private int ignored;

        boolean isEmpty() {
            return counted.isEmpty() && ignored == 0;
        }
    }

    /** @param options only the features and the groups gate matter */
    public SliceIndex(Collection<Slice> slices, AllocatorOptions options) {
        this(
                slices,
                options.gate() == GroupsGate.OFF,
                new BuiltPools(new PoolBuilder(options.has(Feature.PARTITIONABLE_DEVICES))));
    }

    private SliceIndex(Collection<Slice> slices, boolean ignoresGroups, BuiltPools built) {
        this.ignoresGroups = ignoresGroups;
        this.built = built;
        slices.forEach(this::add);
    }

    /**
     * Replaces a slice, in time that does not depend on the slices of other pools. What is known of the devices that stay the same is kept.
     * Not while another thread uses the index.
     *
     * @param before one of the index's slices; null to add one
     * @param after null to remove the slice
     */
    public void replace(@Nullable Slice before, @Nullable Slice after) {
        if (before != null) {
            remove(before);
        }
        if (after != null) {
            add(after);
        }
        if (before != null) {
            forget(before);
        }
        if (after != null) {
            forget(after);
        }
    }

    /** Forgets what was built of a slice. Nodes that see another slice of the pool do so as well: whether it is complete depends on all. */
    private void forget(Slice changed) {
        String node = SlicesByNode.onlyNode(changed);
        OfPool pool = byPool.get(changed.pool());
        if (node != null && (pool == null || pool.isOnlyFor(node))) {
            views.remove(node);
        } else if (!views.isEmpty()) {
            views.clear();
        }
        built.changed(changed.pool(), pool != null);
    }

    /** Removes the pools of a node that was deleted. No other thread may use the index at the same time. */
    public void forget(String node) {
        views.remove(node);
    }

    private void add(Slice slice) {
        var entry = new Entry(nextPosition++, slice);
        OfPool pool = byPool.computeIfAbsent(slice.pool(), ignored -> new OfPool());
        pool.entries.add(entry);
        Generation generation = pool.of(slice.generation());
        if (ignoresGroups && slice.usesCompatibilityGroups()) {
            generation.ignored++;
        } else {
            generation.counted.add(slice);
        }
        if (isIgnored(slice)) {
            leftOut.put(entry.position(), slice);
        } else {
            byNode.add(entry.position(), slice);
        }
    }

    @SuppressWarnings("ReferenceEquality") // an equal slice is a different one here
    private void remove(Slice slice) {
        OfPool pool = Objects.requireNonNull(byPool.get(slice.pool()));
        Entry entry = pool.remove(slice);
        Generation generation = pool.of(slice.generation());
        if (!generation.counted.removeIf(each -> each == slice)) {
            generation.ignored--;
        }
        if (generation.isEmpty()) {
            pool.generations.remove(slice.generation());
        }
        if (pool.entries.isEmpty()) {
            byPool.remove(slice.pool());
        }
        if (isIgnored(slice)) {
            leftOut.remove(entry.position());
        } else {
            byNode.remove(entry.position(), slice);
        }
    }

    /** The index of other slices. It keeps the pools whose slices are still the same objects. */
    public SliceIndex update(Collection<Slice> slices) {
        return new SliceIndex(slices, ignoresGroups, built.keeping(slices));
    }

    /** The index as if the driver had announced only the slices of the pool that exist. */
    public SliceIndex withComplete(PoolId id) {
        var slices = new ArrayList<Slice>();
        byPool.forEach((pool, ofPool) -> ofPool.slices().forEach(slice -> {
            boolean isNewest = pool.equals(id) && slice.generation() == ofPool.newest();
            slices.add(
                    isNewest
                            ? slice.withPool(
                                    ofPool.newest(),
                                    ofPool.of(ofPool.newest()).counted.size())
                            : slice);
        }));
        return update(slices);
    }

    /** The newest complete generation; empty if no generation of the pool is complete, or if the pool's newest one is. */
    public Optional<Superseded> superseded(PoolId id) {
        OfPool pool = byPool.get(id);
        if (pool == null || isComplete(pool.of(pool.newest()))) {
            return Optional.empty();
        }
        List<Slice> newer = pool.of(pool.newest()).counted;
        return pool.generations.entrySet().stream()
                .filter(entry -> !newer.isEmpty() && isComplete(entry.getValue()))
                .reduce((older, newest) -> newest)
                .map(entry -> new Superseded(
                        entry.getKey(),
                        names(entry.getValue().counted),
                        pool.newest(),
                        names(newer),
                        newer.get(0).sliceCount()));
    }

    private static List<String> names(List<Slice> slices) {
        return slices.stream().map(Slice::name).toList();
    }

    private static boolean isComplete(Generation generation) {
        return !generation.counted.isEmpty()
                && generation.counted.size() == generation.counted.get(0).sliceCount();
    }

    /** The index without some slices. */
    public SliceIndex without(Set<String> names) {
        return update(byPool.values().stream()
                .flatMap(OfPool::slices)
                .filter(slice -> !names.contains(slice.name()))
                .toList());
    }

    /** The current slices of pools for several nodes that are not accessible from this node. */
    public Stream<Slice> outOfReach(NodeInfo node) {
        return byNode.shared()
                .filter(slice -> slice.generation()
                        == Objects.requireNonNull(byPool.get(slice.pool())).newest())
                .filter(slice -> !reaches(slice, node));
    }

    /** Whether several nodes can access the devices of a slice. */
    public boolean areShared() {
        return byNode.shared().findAny().isPresent();
    }

    /** Whether the pool has any slice. */
    public boolean contains(PoolId id) {
        return byPool.containsKey(id);
    }

    /** The slices of a pool in all generations. */
    public List<Slice> slices(PoolId id) {
        OfPool pool = byPool.get(id);
        return pool == null ? List.of() : pool.slices().toList();
    }

    /** An index of the same slices for an allocator with other options. */
    public SliceIndex with(AllocatorOptions options) {
        return new SliceIndex(byPool.values().stream().flatMap(OfPool::slices).toList(), options);
    }

    /** The index with other slices for some pools. */
    public SliceIndex replacing(Map<PoolId, List<Slice>> changed) {
        var slices = new ArrayList<Slice>();
        byPool.forEach((pool, ofPool) -> slices.addAll(
                changed.containsKey(pool) ? changed.get(pool) : ofPool.slices().toList()));
        return update(slices);
    }

    /** An index of the slices that concern a node: those of its pools, and those for several nodes. */
    public SliceIndex around(NodeInfo node) {
        Set<PoolId> pools = Stream.of(byNode.candidates(node).stream(), byNode.shared(), leftOut(node).stream())
                .flatMap(slices -> slices.map(Slice::pool))
                .collect(Collectors.toSet());
        return new SliceIndex(
                pools.stream().flatMap(pool -> slices(pool).stream()).toList(), ignoresGroups, built.of(pools));
    }

    /** The slices for a node that are ignored because they use a disabled feature. */
    public List<Slice> leftOut(NodeInfo node) {
        return leftOut.values().stream()
                .filter(slice -> slice.nodes().matches(node.name(), node.labels())
                        || slice.devices().stream()
                                .anyMatch(device -> slice.nodesOf(device).matches(node.name(), node.labels())))
                .toList();
    }

    private boolean isIgnored(Slice slice) {
        if (!built.isPartitionable()
                && (slice.perDeviceNodeSelection() != null
                        || !slice.counterSets().isEmpty())) {
            return true;
        }
        return ignoresGroups && slice.usesCompatibilityGroups();
    }

    /**
     * The pools that a node sees.
     *
     * @throws AllocationException if the node selector of any slice is invalid
     * @throws EvaluationInterrupted if the limit is reached
     */
    NodePools of(NodeInfo node, LimitCheck limit) {
        NodePools known = views.get(node.name());
        if (known != null && known.node().equals(node)) {
            return known;
        }
        NodePools pools = gather(node, limit);
        views.put(node.name(), pools);
        return pools;
    }

    /** The pools that a node sees, in the order in which the allocator tries their devices. */
    public List<Pool> pools(NodeInfo node) {
        return of(node, new LimitCheck(SearchLimit.none())).pools();
    }

    /** The same list as {@link #pools}, if it is known from an earlier call and no slice that concerns the node has changed. */
    public Optional<List<Pool>> knownPools(NodeInfo node) {
        return Optional.ofNullable(views.get(node.name()))
                .filter(known -> known.node().equals(node))
                .map(NodePools::pools);
    }

    private NodePools gather(NodeInfo node, LimitCheck limit) {
        byNode.problem().ifPresent(problem -> {
            throw new AllocationException(problem);
        });
        var pools = new ArrayList<Pool>();
        relevantSlices(node, limit).forEach((id, slices) -> {
            limit.check();
            addPool(pools, id, slices);
        });
        // Devices with binding conditions come last; the sort is stable otherwise.
        pools.sort(Comparator.comparing(pool -> pool instanceof Pool.Usable usable && usable.hasBindingConditions()));
        return new NodePools(node, pools);
    }

    /** For each pool, the slices of the newest generation that the node can access. */
    private Map<PoolId, List<Slice>> relevantSlices(NodeInfo node, LimitCheck limit) {
        var relevant = new TreeMap<PoolId, List<Slice>>();
        for (Slice slice : byNode.candidates(node)) {
            limit.visit();
            if (reaches(slice, node)) {
                keepNewest(relevant.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>()), slice);
            }
        }
        return relevant;
    }

    private static boolean reaches(Slice slice, NodeInfo node) {
        if (SlicesByNode.withoutEmptyName(slice.nodes()) instanceof NodeSelection.None) {
            return slice.selectsNodesPerDevice()
                    && slice.devices().stream().anyMatch(device -> NodePools.reaches(slice, device, node));
        }
        return slice.nodes().matches(node.name(), node.labels());
    }

    private static void keepNewest(List<Slice> kept, Slice slice) {
        if (!kept.isEmpty() && slice.generation() < kept.get(0).generation()) {
            return;
        }
        if (!kept.isEmpty() && slice.generation() > kept.get(0).generation()) {
            kept.clear();
        }
        kept.add(slice);
    }

    private void addPool(List<Pool> pools, PoolId id, List<Slice> relevant) {
        long expected = relevant.get(0).sliceCount();
        if (relevant.size() == expected) {
            pools.add(built.get(id, relevant, List.of()));
            return;
        }
        // The other slices may be for other nodes. A newer generation there replaces this one, even if this node has
        // no slice of it yet.
        OfPool ofPool = Objects.requireNonNull(byPool.get(id));
        long generation = relevant.get(0).generation();
        if (ofPool.newest() > generation) {
            return;
        }
        Generation current = ofPool.of(generation);
        if (current.counted.size() == expected) {
            pools.add(built.get(id, relevant, List.copyOf(current.counted)));
        } else {
            pools.add(new Pool.Incomplete(id, expected, current.counted.size(), current.ignored));
        }
    }
}
