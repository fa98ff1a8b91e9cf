package dev.fakegpu.allocate;

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
 * The slices of a cluster, found by node and by pool, and the pools put together from them. Upstream:
 * {@code structured/internal/experimental/pools_experimental.go}.
 *
 * <p>An index outlives attempts: what it puts together is kept, also across {@link #update}, as long as the slices are the same
 * objects. Finding a node's pools takes time in proportion to the slices that concern the node, not to all there are. Safe for
 * use by several threads.
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

    /** A slice with its place among all slices. */
    private record Entry(int position, Slice slice) {}

    /** The slices of one pool in their order, and which of them count, by generation. */
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

    /** @param options of which only the features and the gate matter */
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

    /** The index of other slices, which keeps the pools whose slices stayed the same objects. */
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

    /** As if the driver had said that the slices of a pool that are there are all that there will be. */
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

    /** The slices for a node that are left out of account because of what they use. */
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

    /** A label without one of whose values no node can match. */
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
     * What a node sees.
     *
     * @throws AllocationException if a node selector cannot be understood, on whichever slice
     */
    NodePools of(NodeInfo node) {
        NodePools pools = views.get(node);
        return pools == null ? views.computeIfAbsent(node, this::gather) : pools;
    }

    /** The pools that a node sees, in the order in which their devices are tried. */
    public List<Pool> pools(NodeInfo node) {
        return of(node).pools();
    }

    private NodePools gather(NodeInfo node) {
        if (brokenSelector != null) {
            throw new AllocationException(brokenSelector);
        }
        var pools = new ArrayList<Pool>();
        relevantSlices(node).forEach((id, slices) -> addPool(pools, id, slices));
        // Devices that have to be waited for are the last choice; the order is stable otherwise.
        pools.sort(Comparator.comparing(pool -> pool instanceof Pool.Usable usable && usable.hasBindingConditions()));
        return new NodePools(node, pools);
    }

    /** Of each pool the slices of the newest generation among those that the node can reach. */
    private Map<PoolId, List<Slice>> relevantSlices(NodeInfo node) {
        var relevant = new TreeMap<PoolId, List<Slice>>();
        Stream.concat(byNodeName.getOrDefault(node.name(), List.of()).stream(), sharedCandidates(node))
                .map(Entry::slice)
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
        // The rest may be for other nodes only. A newer generation there replaces this one although this node has no
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

    /** Compares slices as objects: comparing their content would cost more than building the pool again. */
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
