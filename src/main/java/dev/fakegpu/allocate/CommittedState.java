package dev.fakegpu.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the devices that are held leave of a pool: free counters, the groups on each counter set, devices in use, capacity taken.
 * Immutable; its arrays must not be written to. Upstream: {@code checkAvailableCounters} and
 * {@code compatibilityGroupsBaselineForPool} in {@code allocator_experimental.go}.
 */
final class CommittedState {

    /** Where so many of a pool's devices are held, one in this many, looking at all of them is quicker. */
    private static final int MANY = 8;

    private final List<AllocatedDevice> held;
    private final GroupPolicy groupPolicy;
    private final GroupsGate gate;
    private final long[] busy;
    private final BigInteger[] free;
    private final long[] freeLongs;
    private final int overdrawn;
    private final GroupState[] groups;
    private final Map<Integer, BigDecimal[]> shared;

    private CommittedState(
            List<AllocatedDevice> held,
            GroupPolicy groupPolicy,
            GroupsGate gate,
            long[] busy,
            BigInteger[] free,
            GroupState[] groups,
            Map<Integer, BigDecimal[]> shared) {
        this.held = held;
        this.groupPolicy = groupPolicy;
        this.gate = gate;
        this.busy = busy;
        this.free = free;
        freeLongs = Arrays.stream(free).mapToLong(BigInteger::longValue).toArray();
        overdrawn = (int) Arrays.stream(free).filter(left -> left.signum() < 0).count();
        this.groups = groups;
        this.shared = shared;
    }

    static CommittedState of(Pool.Usable pool, AllocatedDevices holdings, GroupsGate gate) {
        List<AllocatedDevice> held = holdings.of(pool.id());
        var busy = new long[Bits.words(pool.devices().size())];
        var shares = new HashMap<Integer, Map<String, Quantity>>();
        if (held.size() < pool.devices().size() / MANY) {
            for (AllocatedDevice device : held) {
                Integer position = pool.position(device.id());
                if (position != null) {
                    add(device, position, busy, shares);
                }
            }
        } else {
            for (int i = 0; i < pool.devices().size(); i++) {
                for (AllocatedDevice device :
                        holdings.holdersOf(pool.devices().get(i).id())) {
                    add(device, i, busy, shares);
                }
            }
        }
        return new CommittedState(
                held,
                holdings.groupPolicy(),
                gate,
                busy,
                freeCounters(pool, holdings, held),
                groups(pool, holdings, gate, held),
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

    private static BigInteger[] freeCounters(Pool.Usable pool, AllocatedDevices holdings, List<AllocatedDevice> held) {
        CounterTable table = pool.counters();
        BigDecimal[] free = table.declared();
        if (!held.isEmpty() && free.length > 0) {
            Stream.concat(pool.devices().stream(), pool.elsewhere())
                    .filter(device -> holdings.isHeld(device.id()))
                    .forEach(device -> table.forEachAmount(
                            device.device(), (column, amount) -> free[column] = free[column].subtract(amount.value())));
        }
        var inUnits = new BigInteger[free.length];
        for (int column = 0; column < free.length; column++) {
            inUnits[column] = table.floor(free[column], column);
        }
        return inUnits;
    }

    private static GroupState[] groups(
            Pool.Usable pool, AllocatedDevices holdings, GroupsGate gate, List<AllocatedDevice> held) {
        var states = new GroupState[pool.counters().sets()];
        Arrays.fill(states, GroupState.FREE);
        if (gate != GroupsGate.UNAWARE && !held.isEmpty()) {
            holdings.members(pool).stream()
                    .flatMap(member -> member.memberships().stream())
                    .forEach(membership ->
                            join(states, pool.counters().set(membership.counterSet()), membership.groups(), gate));
        }
        return states;
    }

    /**
     * With the gate off only devices without groups are left to be placed, and a single device with groups keeps them all off its
     * counter sets. So members without groups must not be what decides.
     */
    private static void join(GroupState[] states, int set, Collection<String> groups, GroupsGate gate) {
        if (set >= 0 && (gate == GroupsGate.ON || !groups.isEmpty())) {
            states[set] = states[set].place(groups);
        }
    }

    boolean isOf(AllocatedDevices holdings, GroupsGate ofGate, PoolId pool) {
        return gate == ofGate && groupPolicy == holdings.groupPolicy() && held.equals(holdings.of(pool));
    }

    /** One bit for each device that is held whole. */
    long[] busy() {
        return busy;
    }

    /** By column of the pool's {@link CounterTable}; may be negative. */
    BigInteger[] free() {
        return free;
    }

    /** The same as numbers that can be written to; not for wide tables. */
    long[] freeAsLongs() {
        return freeLongs.clone();
    }

    /** How many counters are below zero: somebody gave more away than there is, or the driver took back. */
    int overdrawn() {
        return overdrawn;
    }

    /** By counter set. */
    GroupState[] groups() {
        return groups;
    }

    /** What is taken of each capacity of a device of which somebody holds a share; null if nobody does. */
    BigDecimal @Nullable [] taken(int device) {
        return shared.isEmpty() ? null : shared.get(device);
    }
}
