package dev.fakegpu.engine.allocate.pool;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a pool from all of its slices and checks that they do not contradict each other. The pools of one builder share their common data.
 * Thread-safe.
 */
public final class PoolBuilder {

    private static final Comparator<Slice> BY_NAME = Comparator.comparing(Slice::name);

    private final boolean partitionable;
    private final Interner<PoolTemplate> templates = Interners.newWeakInterner();

    public PoolBuilder(boolean partitionable) {
        this.partitionable = partitionable;
    }

    /** Whether pools have counters. */
    public boolean isPartitionable() {
        return partitionable;
    }

    /**
     * @param relevant the slices that a node can reach
     * @param ofPool all slices of the pool, or none where {@code relevant} are all
     * @param before what the pool was before some of its slices changed; null if that is not known
     */
    public Pool build(PoolId id, List<Slice> relevant, List<Slice> ofPool, Pool.@Nullable Usable before) {
        var targeting = new ArrayList<>(relevant);
        targeting.sort(BY_NAME);
        // By name, as in upstream: a slice for another node with the same name as one of these is lost.
        Set<String> names = new HashSet<>();
        targeting.forEach(slice -> names.add(slice.name()));
        var others = new ArrayList<>(ofPool);
        others.removeIf(slice -> names.contains(slice.name()));
        try {
            List<PoolDevice> devices = devices(targeting, before);
            PoolTemplate known = before != null && before.hasDevicesLike(devices)
                    ? before.caches().template()
                    : null;
            if (known == null) {
                requireUniqueNames(devices);
            }
            Map<String, CounterSet> counterSets = partitionable ? counterSets(targeting, others) : Map.of();
            PoolTemplate template = known != null && known.hasCounterSets(counterSets)
                    ? known
                    : templates.intern(new PoolTemplate(counterSets, devices));
            if (partitionable) {
                requireKnownCounters(template, others);
            }
            return new Pool.Usable(id, devices, ofPool, names, counterSets, template, before);
        } catch (InvalidPoolException e) {
            return new Pool.Invalid(id, e.reason);
        }
    }

    /** API validation ensures that a slice with counter sets has no devices; upstream relies on it, too. */
    private List<PoolDevice> devices(List<Slice> slices, Pool.@Nullable Usable before) {
        List<PoolDevice> earlier = before == null ? List.of() : before.devices();
        var devices = new ArrayList<PoolDevice>();
        for (Slice slice : slices) {
            if (partitionable && !slice.counterSets().isEmpty()) {
                continue;
            }
            int first = devices.size();
            if (first < earlier.size() && isFirstOf(slice, earlier.get(first))) {
                devices.addAll(earlier.subList(first, first + slice.devices().size()));
            } else {
                slice.devices().forEach(device -> devices.add(new PoolDevice(device, slice)));
            }
        }
        return devices;
    }

    /** Whether it is the first device of this slice. If so, the others of the slice follow it. */
    @SuppressWarnings("ReferenceEquality") // an equal slice is another one
    private static boolean isFirstOf(Slice slice, PoolDevice device) {
        return device.slice() == slice && device.device() == slice.devices().get(0);
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
        targeting.forEach(slice -> addCounterSets(slice, byName));
        others.forEach(slice -> addCounterSets(slice, byName));
        return byName;
    }

    private static void addCounterSets(Slice slice, Map<String, CounterSet> byName) {
        for (CounterSet set : slice.counterSets()) {
            if (byName.put(set.name(), set) != null) {
                throw new InvalidPoolException("duplicate counter set name " + set.name());
            }
        }
    }

    private static void requireKnownCounters(PoolTemplate template, List<Slice> others) {
        template.unknownCounter().ifPresent(InvalidPoolException::refuse);
        for (Slice slice : others) {
            if (slice.counterSets().isEmpty()) {
                slice.devices()
                        .forEach(device -> template.unknownCounter(device.consumesCounters())
                                .ifPresent(InvalidPoolException::refuse));
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

        static void refuse(String reason) {
            throw new InvalidPoolException(reason);
        }
    }
}
