package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Puts the slices of a cluster together to the pools that a node sees. Upstream:
 * {@code structured/internal/experimental/pools_experimental.go}.
 *
 * <p>Nodes that see the same slices of a pool get the same {@link Pool} object, so what is computed from one can be kept.
 */
public final class PoolGatherer {

    private final Gate gate;
    private final Map<String, List<Slice>> slicesOfNode = new HashMap<>();
    private final List<Slice> sharedSlices = new ArrayList<>();
    private final Map<PoolId, List<Slice>> slicesOfPool = new HashMap<>();
    private final Map<List<SliceIdentity>, Pool> built = new HashMap<>();

    public PoolGatherer(List<Slice> slices, Gate gate) {
        this.gate = gate;
        for (Slice slice : slices) {
            slicesOfPool
                    .computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                    .add(slice);
            if (slice.nodes() instanceof NodeSelection.NodeName node) {
                slicesOfNode
                        .computeIfAbsent(node.name(), ignored -> new ArrayList<>())
                        .add(slice);
            } else {
                sharedSlices.add(slice);
            }
        }
    }

    /** The pools in the order in which their devices are tried: by driver, then by name. */
    public List<Pool> gather(Node node) {
        var pools = new ArrayList<Pool>();
        relevantSlices(node).forEach((id, slices) -> addPool(pools, id, slices));
        return List.copyOf(pools);
    }

    /** Of each pool the slices of the newest generation among those that the node can reach. */
    private Map<PoolId, List<Slice>> relevantSlices(Node node) {
        var relevant = new TreeMap<PoolId, List<Slice>>();
        Stream.concat(slicesOfNode.getOrDefault(node.name(), List.of()).stream(), sharedSlices.stream())
                .filter(slice -> !isIgnored(slice) && reaches(slice, node))
                .forEach(slice ->
                        keepNewest(relevant.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>()), slice));
        return relevant;
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

    private static boolean reaches(Slice slice, Node node) {
        return slice.nodes().matches(node.name(), node.labels());
    }

    private boolean isIgnored(Slice slice) {
        return gate == Gate.OFF && usesGroups(slice);
    }

    private static boolean usesGroups(Slice slice) {
        return slice.devices().stream()
                .flatMap(device -> device.consumesCounters().stream())
                .anyMatch(entry -> !entry.compatibilityGroups().isEmpty());
    }

    private void addPool(List<Pool> pools, PoolId id, List<Slice> relevant) {
        long expected = relevant.get(0).sliceCount();
        if (relevant.size() == expected) {
            pools.add(buildOnce(id, relevant, List.of()));
            return;
        }
        // The rest may be for other nodes only. A newer generation there replaces this one although this node has no
        // slice of it yet.
        List<Slice> ofPool = slicesOfPool.getOrDefault(id, List.of());
        long generation = relevant.get(0).generation();
        if (ofPool.stream().anyMatch(slice -> slice.generation() > generation)) {
            return;
        }
        List<Slice> current = ofPool.stream()
                .filter(slice -> slice.generation() == generation)
                .toList();
        List<Slice> counted =
                current.stream().filter(slice -> !isIgnored(slice)).toList();
        if (counted.size() == expected) {
            pools.add(buildOnce(id, relevant, counted));
        } else {
            pools.add(new Pool.Incomplete(id, expected, counted.size(), current.size() - counted.size()));
        }
    }

    private Pool buildOnce(PoolId id, List<Slice> relevant, List<Slice> ofPool) {
        List<SliceIdentity> key = relevant.stream().map(SliceIdentity::new).toList();
        return built.computeIfAbsent(key, ignored -> build(id, relevant, ofPool));
    }

    private static Pool build(PoolId id, List<Slice> relevant, List<Slice> ofPool) {
        List<Slice> targeting =
                relevant.stream().sorted(Comparator.comparing(Slice::name)).toList();
        Set<String> names = new HashSet<>();
        targeting.forEach(slice -> names.add(slice.name()));
        List<Slice> others =
                ofPool.stream().filter(slice -> !names.contains(slice.name())).toList();
        try {
            List<PoolDevice> devices = devices(targeting);
            requireUniqueNames(devices);
            List<PoolDevice> elsewhere = devices(others);
            Map<String, CounterSet> counterSets = counterSets(targeting, others);
            devices.forEach(device -> requireKnownCounters(device.device(), counterSets));
            elsewhere.forEach(device -> requireKnownCounters(device.device(), counterSets));
            return new Pool.Usable(id, devices, elsewhere, counterSets);
        } catch (InvalidPoolException e) {
            return new Pool.Invalid(id, e.reason);
        }
    }

    /** A slice with counter sets has no devices of its own; validation of the API sees to that, and upstream relies on it. */
    private static List<PoolDevice> devices(List<Slice> slices) {
        return slices.stream()
                .filter(slice -> slice.counterSets().isEmpty())
                .flatMap(slice -> slice.devices().stream()
                        .map(device -> new PoolDevice(slice.pool().device(device.name()), device, slice.nodes())))
                .toList();
    }

    private static void requireUniqueNames(List<PoolDevice> devices) {
        Set<String> names = new HashSet<>();
        for (PoolDevice device : devices) {
            if (!names.add(device.device().name())) {
                throw new InvalidPoolException(
                        "duplicate device name " + device.device().name());
            }
        }
    }

    private static Map<String, CounterSet> counterSets(List<Slice> targeting, List<Slice> others) {
        var byName = new LinkedHashMap<String, CounterSet>();
        Stream.concat(targeting.stream(), others.stream())
                .flatMap(slice -> slice.counterSets().stream())
                .forEach(set -> {
                    if (byName.put(set.name(), set) != null) {
                        throw new InvalidPoolException("duplicate counter set name " + set.name());
                    }
                });
        return byName;
    }

    private static void requireKnownCounters(Device device, Map<String, CounterSet> counterSets) {
        for (CounterConsumption entry : device.consumesCounters()) {
            CounterSet set = counterSets.get(entry.counterSet());
            if (set == null) {
                throw new InvalidPoolException("counter set " + entry.counterSet() + " not found");
            }
            for (String counter : entry.counters().keySet()) {
                if (!set.counters().containsKey(counter)) {
                    throw new InvalidPoolException(
                            "counter " + counter + " not found in counter set " + entry.counterSet());
                }
            }
        }
    }

    private static final class InvalidPoolException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String reason;

        InvalidPoolException(String reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /** Compares slices as objects: comparing their content would cost more than building the pool again. */
    private static final class SliceIdentity {
        private final Slice slice;

        SliceIdentity(Slice slice) {
            this.slice = slice;
        }

        @Override
        @SuppressWarnings("ReferenceEquality")
        public boolean equals(Object other) {
            return other instanceof SliceIdentity that && slice == that.slice;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(slice);
        }
    }
}
