package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the allocated devices leave of a pool: free counters, the groups on each counter set, devices in use, and consumed capacity.
 * Immutable; the arrays must not be written to. Upstream: {@code checkAvailableCounters} and {@code compatibilityGroupsBaselineForPool} in
 * {@code allocator_experimental.go}.
 */
final class CommittedState {

    /** If more than one in this many devices is allocated, iterating over all devices of the pool is faster. */
    private static final int MANY = 8;

    private final Inputs inputs;
    private final long[] busy;
    private final BigInteger[] free;
    private final long[] freeLongs;
    private final int overdrawn;
    private final GroupState[] groups;
    private final Map<Integer, BigDecimal[]> shared;

    /** The input from which the state was computed, apart from the pool. */
    private record Inputs(GroupsGate gate, GroupPolicy policy, List<AllocatedDevice> devices, Set<DeviceId> withheld) {

        static Inputs of(AllocatedDevices allocated, GroupsGate gate, PoolId pool) {
            return new Inputs(gate, allocated.groupPolicy(), allocated.ofPool(pool), allocated.withheld(pool));
        }
    }

    private CommittedState(
            Inputs inputs, long[] busy, BigInteger[] free, GroupState[] groups, Map<Integer, BigDecimal[]> shared) {
        this.inputs = inputs;
        this.busy = busy;
        this.free = free;
        freeLongs = Arrays.stream(free).mapToLong(BigInteger::longValue).toArray();
        overdrawn = (int) Arrays.stream(free).filter(left -> left.signum() < 0).count();
        this.groups = groups;
        this.shared = shared;
    }

    static CommittedState of(Pool.Usable pool, AllocatedDevices allocated, GroupsGate gate) {
        List<AllocatedDevice> held = allocated.ofPool(pool.id());
        var busy = new long[Bits.words(pool.devices().size())];
        var shares = new HashMap<Integer, Map<String, Quantity>>();
        if (held.size() < pool.devices().size() / MANY) {
            for (AllocatedDevice device : held) {
                Integer position = pool.caches().position(device.id());
                if (position != null) {
                    add(device, position, busy, shares);
                }
            }
        } else {
            for (int i = 0; i < pool.devices().size(); i++) {
                for (AllocatedDevice device :
                        allocated.ofDevice(pool.devices().get(i).id())) {
                    add(device, i, busy, shares);
                }
            }
        }
        for (DeviceId device : allocated.withheld(pool.id())) {
            Integer position = pool.caches().position(device);
            if (position != null) {
                Bits.set(busy, position);
            }
        }
        return new CommittedState(
                Inputs.of(allocated, gate, pool.id()),
                busy,
                freeCounters(pool, held),
                groups(pool, allocated, gate, held),
                aligned(pool, shares));
    }

    private static Map<Integer, BigDecimal[]> aligned(Pool.Usable pool, Map<Integer, Map<String, Quantity>> shares) {
        var aligned = new HashMap<Integer, BigDecimal[]>();
        shares.forEach((device, taken) -> aligned.put(
                device,
                ConsumedCapacity.Amounts.aligned(
                        taken, pool.devices().get(device).device().capacity())));
        return aligned;
    }

    private static void add(
            AllocatedDevice device, int position, long[] busy, Map<Integer, Map<String, Quantity>> shares) {
        AllocatedDevice.Share share = device.share();
        if (share == null) {
            Bits.set(busy, position);
            return;
        }
        Map<String, Quantity> taken = shares.computeIfAbsent(position, ignored -> new HashMap<>());
        share.consumedCapacity().forEach((name, amount) -> taken.merge(name, amount, Quantity::plus));
    }

    private static BigInteger[] freeCounters(Pool.Usable pool, List<AllocatedDevice> held) {
        CounterTable table = pool.caches().counters();
        BigDecimal[] free = table.declared();
        if (!held.isEmpty() && free.length > 0) {
            pool.among(held.stream().map(AllocatedDevice::id).collect(Collectors.toSet()))
                    .forEach(device -> table.forEachAmount(
                            device.device().consumesCounters(),
                            (column, amount) -> free[column] = free[column].subtract(amount.value())));
        }
        var inUnits = new BigInteger[free.length];
        for (int column = 0; column < free.length; column++) {
            inUnits[column] = table.floor(free[column], column);
        }
        return inUnits;
    }

    private static GroupState[] groups(
            Pool.Usable pool, AllocatedDevices allocated, GroupsGate gate, List<AllocatedDevice> held) {
        var states = new GroupState[pool.caches().counters().sets()];
        Arrays.fill(states, GroupState.FREE);
        if (gate != GroupsGate.UNAWARE && !held.isEmpty()) {
            allocated.members(pool).stream()
                    .flatMap(member -> member.memberships().stream())
                    .forEach(membership -> join(
                            states, pool.caches().counters().set(membership.counterSet()), membership.groups(), gate));
        }
        return states;
    }

    /**
     * Updates the state of a counter set. With the gate off, only devices without groups can be allocated, and a single device with groups
     * keeps them off its counter sets. Therefore members without groups must not determine the state.
     */
    private static void join(GroupState[] states, int set, Collection<String> groups, GroupsGate gate) {
        if (set >= 0 && (gate == GroupsGate.ON || !groups.isEmpty())) {
            states[set] = states[set].place(groups);
        }
    }

    boolean isOf(AllocatedDevices allocated, GroupsGate gate, PoolId pool) {
        return inputs.equals(Inputs.of(allocated, gate, pool));
    }

    /**
     * Whether it holds for a pool with the same template, too.
     *
     * @param before the pool of which it is the state
     */
    boolean isSameFor(Pool.Usable pool, Pool.Usable before) {
        if (!pool.isWhole() || !before.isWhole()) {
            return false;
        }
        for (int device : shared.keySet()) {
            if (!pool.devices().get(device).hasCapacityOf(before.devices().get(device))) {
                return false;
            }
        }
        return true;
    }

    /** One bit for each device that is allocated whole. */
    long[] busy() {
        return busy;
    }

    /** The free amounts by column of the pool's {@link CounterTable}; they can be negative. */
    BigInteger[] free() {
        return free;
    }

    /** A copy of the free amounts as {@code long}s. Not for wide tables. */
    long[] freeAsLongs() {
        return freeLongs.clone();
    }

    /** The number of counters below zero: more was allocated than exists, or the driver reduced a counter. */
    int overdrawn() {
        return overdrawn;
    }

    /** The state of each counter set. */
    GroupState[] groups() {
        return groups;
    }

    /** The consumed amount of each capacity of a device; null if no share of it is allocated. */
    BigDecimal @Nullable [] taken(int device) {
        return shared.isEmpty() ? null : shared.get(device);
    }
}
