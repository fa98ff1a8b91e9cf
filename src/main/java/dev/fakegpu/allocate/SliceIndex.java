package dev.fakegpu.allocate;

import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.allocate.pool.Pool;
import dev.fakegpu.allocate.pool.PoolBuilder;
import dev.fakegpu.cel.EvaluationInterrupted;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a cluster, indexed by node and by pool, and the pools built from them. Upstream:
 * {@code structured/internal/experimental/pools_experimental.go}.
 *
 * <p>Pools that were built are kept, also across {@link #update}, as long as their slices are the same objects. Finding a node's pools
 * takes time proportional to the slices that may concern the node, not to all slices. Safe for use by several threads.
 */
public final class SliceIndex {

    private final boolean partitionable;
    private final boolean ignoresGroups;
    private final Map<String, List<Entry>> byNodeName = new HashMap<>();
    private final Map<String, Map<String, List<Entry>>> byLabel = new HashMap<>();
    private final List<Entry> unindexed = new ArrayList<>();
    private final Map<PoolId, OfPool> byPool = new HashMap<>();
    private final List<Slice> leftOut = new ArrayList<>();
    private final @Nullable String brokenSelector;
    private final Map<PoolKey, Pool> built;
    private final Map<NodeInfo, NodePools> views = new ConcurrentHashMap<>();

    /** A slice with its position among all slices. */
    private record Entry(int position, Slice slice) {}

    /** The slices of one pool in their order, and by generation which of them count. */
    private static final class OfPool {
        private final List<Slice> slices = new ArrayList<>();
        private final Map<Long, Generation> generations = new TreeMap<>();
        private long newest = Long.MIN_VALUE;

        Generation of(long generation) {
            return generations.computeIfAbsent(generation, ignored -> new Generation());
        }
    }

    private static final class Generation {
        private final List<Slice> counted = new ArrayList<>();
        private int ignored;
    }

    /** @param options only the features and the groups gate matter */
    public SliceIndex(Collection<Slice> slices, AllocatorOptions options) {
        this(
                slices,
                options.has(Feature.PARTITIONABLE_DEVICES),
                options.gate() == GroupsGate.OFF,
                new ConcurrentHashMap<>());
    }

    private SliceIndex(
            Collection<Slice> slices, boolean partitionable, boolean ignoresGroups, Map<PoolKey, Pool> built) {
        this.partitionable = partitionable;
        this.ignoresGroups = ignoresGroups;
        this.built = built;
        String broken = null;
        int position = 0;
        for (Slice slice : slices) {
            Entry entry = new Entry(position++, slice);
            addToPool(slice);
            if (isIgnored(slice)) {
                leftOut.add(slice);
                continue;
            }
            addByNode(entry);
            broken = broken == null ? problem(slice) : broken;
        }
        brokenSelector = broken;
    }

    /** The index of other slices. Keeps the pools whose slices are still the same objects. */
    public SliceIndex update(Collection<Slice> slices) {
        Set<Slice> present = Collections.newSetFromMap(new IdentityHashMap<>());
        present.addAll(slices);
        var kept = new ConcurrentHashMap<PoolKey, Pool>();
        built.forEach((key, pool) -> {
            if (key.consistsOf(present)) {
                kept.put(key, pool);
            }
        });
        return new SliceIndex(slices, partitionable, ignoresGroups, kept);
    }

    /** The same, as if the present slices of a pool were all that the driver announced. */
    public SliceIndex withComplete(PoolId id) {
        var slices = new ArrayList<Slice>();
        byPool.forEach((pool, ofPool) -> ofPool.slices.forEach(slice -> {
            boolean isNewest = pool.equals(id) && slice.generation() == ofPool.newest;
            slices.add(
                    isNewest
                            ? slice.withPool(
                                    ofPool.newest,
                                    ofPool.of(ofPool.newest).counted.size())
                            : slice);
        }));
        return update(slices);
    }

    /**
     * A complete generation of a pool that cannot be used because there are slices of a newer one, which is not complete.
     *
     * @param complete names of the complete generation's slices
     * @param newer names of the newer slices
     * @param sliceCount how many slices the newer generation has according to them
     */
    public record Superseded(
            long generation, List<String> complete, long newerGeneration, List<String> newer, long sliceCount) {}

    /** Empty if no generation of the pool is complete, or if the newest is. */
    public Optional<Superseded> superseded(PoolId id) {
        OfPool pool = byPool.get(id);
        if (pool == null || isComplete(pool.of(pool.newest))) {
            return Optional.empty();
        }
        List<Slice> newer = pool.of(pool.newest).counted;
        return pool.generations.entrySet().stream()
                .filter(entry -> !newer.isEmpty() && isComplete(entry.getValue()))
                .reduce((older, newest) -> newest)
                .map(entry -> new Superseded(
                        entry.getKey(),
                        names(entry.getValue().counted),
                        pool.newest,
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

    /** The same without some slices. */
    public SliceIndex without(Set<String> names) {
        return update(byPool.values().stream()
                .flatMap(pool -> pool.slices.stream())
                .filter(slice -> !names.contains(slice.name()))
                .toList());
    }

    /** The current slices of pools for several nodes that do not reach this node. */
    public Stream<Slice> outOfReach(NodeInfo node) {
        return Stream.concat(
                        unindexed.stream(),
                        byLabel.values().stream()
                                .flatMap(byValue -> byValue.values().stream())
                                .flatMap(List::stream))
                .distinct()
                .sorted(Comparator.comparingInt(Entry::position))
                .map(Entry::slice)
                .filter(slice -> slice.generation() == Objects.requireNonNull(byPool.get(slice.pool())).newest)
                .filter(slice -> !reaches(slice, node));
    }

    /** The slices of a pool, of all generations. */
    public List<Slice> slices(PoolId id) {
        OfPool pool = byPool.get(id);
        return pool == null ? List.of() : List.copyOf(pool.slices);
    }

    /** The same slices for an allocator with other options. */
    public SliceIndex with(AllocatorOptions options) {
        return new SliceIndex(
                byPool.values().stream().flatMap(pool -> pool.slices.stream()).toList(), options);
    }

    /** The same with other slices for some pools. */
    public SliceIndex replacing(Map<PoolId, List<Slice>> changed) {
        var slices = new ArrayList<Slice>();
        byPool.forEach((pool, ofPool) -> slices.addAll(changed.getOrDefault(pool, ofPool.slices)));
        return update(slices);
    }

    /** The slices for a node that are ignored because they use a feature that is off. */
    public List<Slice> leftOut(NodeInfo node) {
        return leftOut.stream()
                .filter(slice -> slice.nodes().matches(node.name(), node.labels())
                        || slice.devices().stream()
                                .anyMatch(device -> slice.nodesOf(device).matches(node.name(), node.labels())))
                .toList();
    }

    private boolean isIgnored(Slice slice) {
        if (!partitionable
                && (slice.perDeviceNodeSelection() != null
                        || !slice.counterSets().isEmpty())) {
            return true;
        }
        return ignoresGroups && slice.usesCompatibilityGroups();
    }

    private void addToPool(Slice slice) {
        OfPool pool = byPool.computeIfAbsent(slice.pool(), ignored -> new OfPool());
        pool.slices.add(slice);
        pool.newest = Math.max(pool.newest, slice.generation());
        Generation generation = pool.of(slice.generation());
        if (ignoresGroups && slice.usesCompatibilityGroups()) {
            generation.ignored++;
        } else {
            generation.counted.add(slice);
        }
    }

    private void addByNode(Entry entry) {
        NodeSelection nodes = withoutEmptyName(entry.slice().nodes());
        if (nodes instanceof NodeSelection.NodeName only) {
            byNodeName
                    .computeIfAbsent(only.name(), ignored -> new ArrayList<>())
                    .add(entry);
            return;
        }
        Optional<NodeSelector.Requirement> label = nodes instanceof NodeSelection.Matching matching
                ? requiredLabel(matching.selector())
                : Optional.empty();
        if (label.isEmpty()) {
            unindexed.add(entry);
            return;
        }
        Map<String, List<Entry>> byValue = byLabel.computeIfAbsent(label.get().key(), ignored -> new HashMap<>());
        label.get().values().stream()
                .distinct()
                .forEach(value -> byValue.computeIfAbsent(value, ignored -> new ArrayList<>())
                        .add(entry));
    }

    private static NodeSelection withoutEmptyName(NodeSelection nodes) {
        return nodes instanceof NodeSelection.WithEmptyNodeName with ? with.selection() : nodes;
    }

    /** A label that a node must have, with one of these values, to match. */
    private static Optional<NodeSelector.Requirement> requiredLabel(NodeSelector selector) {
        return selector.terms().size() == 1
                ? selector.terms().get(0).expressions().stream()
                        .filter(requirement -> requirement.operator().equals("In"))
                        .findFirst()
                : Optional.empty();
    }

    private static @Nullable String problem(Slice slice) {
        return withoutEmptyName(slice.nodes()) instanceof NodeSelection.Matching matching
                ? matching.selector()
                        .problem()
                        .map(problem -> "gather pool information: failed to perform node selection for slice "
                                + slice.name() + ": " + problem)
                        .orElse(null)
                : null;
    }

    /**
     * The pools that a node sees.
     *
     * @throws AllocationException if the node selector of any slice is invalid
     * @throws EvaluationInterrupted if the limit is reached
     */
    NodePools of(NodeInfo node, LimitCheck limit) {
        NodePools pools = views.get(node);
        return pools == null ? views.computeIfAbsent(node, added -> gather(added, limit)) : pools;
    }

    /** The pools that a node sees, in the order in which their devices are tried. */
    public List<Pool> pools(NodeInfo node) {
        return of(node, new LimitCheck(SearchLimit.none())).pools();
    }

    private NodePools gather(NodeInfo node, LimitCheck limit) {
        if (brokenSelector != null) {
            throw new AllocationException(brokenSelector);
        }
        var pools = new ArrayList<Pool>();
        relevantSlices(node, limit).forEach((id, slices) -> {
            limit.check();
            addPool(pools, id, slices);
        });
        // Devices with binding conditions come last; the sort is stable otherwise.
        pools.sort(Comparator.comparing(pool -> pool instanceof Pool.Usable usable && usable.hasBindingConditions()));
        return new NodePools(node, pools);
    }

    /** For each pool the slices of the newest generation among those that the node can reach. */
    private Map<PoolId, List<Slice>> relevantSlices(NodeInfo node, LimitCheck limit) {
        var relevant = new TreeMap<PoolId, List<Slice>>();
        Stream.concat(byNodeName.getOrDefault(node.name(), List.of()).stream(), sharedCandidates(node))
                .map(Entry::slice)
                .peek(slice -> limit.visit())
                .filter(slice -> reaches(slice, node))
                .forEach(slice ->
                        keepNewest(relevant.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>()), slice));
        return relevant;
    }

    private Stream<Entry> sharedCandidates(NodeInfo node) {
        var candidates = new ArrayList<>(unindexed);
        byLabel.forEach((key, byValue) -> {
            String value = node.labels().get(key);
            if (value != null) {
                candidates.addAll(byValue.getOrDefault(value, List.of()));
            }
        });
        return candidates.stream().sorted(Comparator.comparingInt(Entry::position));
    }

    private static boolean reaches(Slice slice, NodeInfo node) {
        if (withoutEmptyName(slice.nodes()) instanceof NodeSelection.None) {
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
            pools.add(buildOnce(id, relevant, List.of()));
            return;
        }
        // The other slices may be for other nodes. A newer generation there replaces this one, even if this node has no
        // slice of it yet.
        OfPool ofPool = Objects.requireNonNull(byPool.get(id));
        long generation = relevant.get(0).generation();
        if (ofPool.newest > generation) {
            return;
        }
        Generation current = ofPool.of(generation);
        if (current.counted.size() == expected) {
            pools.add(buildOnce(id, relevant, current.counted));
        } else {
            pools.add(new Pool.Incomplete(id, expected, current.counted.size(), current.ignored));
        }
    }

    private Pool buildOnce(PoolId id, List<Slice> relevant, List<Slice> ofPool) {
        return built.computeIfAbsent(
                new PoolKey(relevant, ofPool), ignored -> new PoolBuilder(partitionable).build(id, relevant, ofPool));
    }

    /** Compares slices by identity: comparing their content would cost more than building the pool again. */
    private static final class PoolKey {
        private final List<Slice> relevant;
        private final List<Slice> ofPool;
        private final int hash;

        PoolKey(List<Slice> relevant, List<Slice> ofPool) {
            this.relevant = relevant;
            this.ofPool = ofPool;
            hash = 31 * identityHash(relevant) + identityHash(ofPool);
        }

        boolean consistsOf(Set<Slice> slices) {
            return slices.containsAll(relevant) && slices.containsAll(ofPool);
        }

        private static int identityHash(List<Slice> slices) {
            int hash = 1;
            for (Slice slice : slices) {
                hash = 31 * hash + System.identityHashCode(slice);
            }
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PoolKey that
                    && hash == that.hash
                    && sameObjects(relevant, that.relevant)
                    && sameObjects(ofPool, that.ofPool);
        }

        @SuppressWarnings("ReferenceEquality")
        private static boolean sameObjects(List<Slice> left, List<Slice> right) {
            if (left == right) {
                return true;
            }
            if (left.size() != right.size()) {
                return false;
            }
            for (int i = 0; i < left.size(); i++) {
                if (left.get(i) != right.get(i)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
