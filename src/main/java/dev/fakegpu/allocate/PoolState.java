package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is left of one pool while an attempt tries one device after the other: devices in use, counters, groups on counter sets,
 * capacity. Everything that is taken can be given back, in reverse order. Upstream: {@code checkAvailableCounters},
 * {@code checkAndConsumeCompatibilityGroups} and the in-flight state of {@code allocator} in {@code allocator_experimental.go}.
 */
final class PoolState {

    private final Pool.Usable pool;
    private final CounterTable table;
    private final CommittedState baseline;
    private final boolean checksGroups;
    private final long[] busy;
    private @Nullable Map<Integer, BigDecimal[]> takenNow;
    private final GroupState[] groups;
    private long @Nullable [] free;
    private BigInteger @Nullable [] wideFree;
    private int overdrawn = -1;

    PoolState(Pool.Usable pool, CommittedState baseline, GroupsGate gate) {
        this.pool = pool;
        this.baseline = baseline;
        table = pool.counters();
        checksGroups = gate != GroupsGate.UNAWARE;
        busy = baseline.busy().clone();
        groups = baseline.groups().clone();
    }

    Pool.Usable pool() {
        return pool;
    }

    /** 64 devices of which those cannot be had whose bit is set, because somebody has them whole. */
    long busy(int word) {
        return busy[word];
    }

    boolean isBusy(int device) {
        return Bits.get(busy, device);
    }

    /** @return whether it was not marked before */
    boolean markBusy(int device) {
        boolean changed = !Bits.get(busy, device);
        Bits.set(busy, device);
        return changed;
    }

    void unmarkBusy(int device) {
        Bits.clear(busy, device);
    }

    /** Whether somebody, also somebody in this attempt, has a share of the device. */
    boolean isShared(int device) {
        return baseline.taken(device) != null || takenNow(device) != null;
    }

    private BigDecimal @Nullable [] takenNow(int device) {
        return takenNow == null ? null : takenNow.get(device);
    }

    boolean fits(int device, ConsumedCapacity.Amounts amounts) {
        return amounts.fits(baseline.taken(device), takenNow(device));
    }

    /** Whether so much fits beside what is taken of a device. */
    boolean fits(int device, BigDecimal[] more, ConsumedCapacity.Amounts amounts) {
        BigDecimal[] now = takenNow(device);
        return amounts.fits(baseline.taken(device), now == null ? more : ConsumedCapacity.Amounts.plus(now, more));
    }

    /** @return what {@link #giveBackShare} needs */
    BigDecimal @Nullable [] takeShare(int device, ConsumedCapacity.Amounts amounts) {
        if (takenNow == null) {
            takenNow = new HashMap<>();
        }
        BigDecimal[] before = takenNow.get(device);
        takenNow.put(device, amounts.plus(before));
        return before;
    }

    void giveBackShare(int device, BigDecimal @Nullable [] before) {
        Map<Integer, BigDecimal[]> shares = Objects.requireNonNull(takenNow);
        if (before == null) {
            shares.remove(device);
        } else {
            shares.put(device, before);
        }
    }

    /**
     * Takes what a device needs of its counter sets: each must admit its groups, and no counter of the pool may fall below zero.
     * Upstream compares all counters of the pool, so one that is overdrawn blocks every device that consumes any.
     *
     * @return null if that is not possible, and then nothing is taken; otherwise what {@link #giveBack} needs
     */
    GroupState @Nullable [] take(int device) {
        CounterTable.CounterUse demand = table.demand(device);
        GroupState[] before = new GroupState[demand.sets().length];
        if (joinGroups(device, demand, before) >= 0) {
            return null;
        }
        addToCounters(demand, -1);
        if (overdrawn > 0) {
            giveBack(device, before);
            return null;
        }
        return before;
    }

    void giveBack(int device, GroupState[] before) {
        CounterTable.CounterUse demand = table.demand(device);
        addToCounters(demand, 1);
        leaveGroups(demand, before, before.length);
    }

    /**
     * The first consumption entry of a device whose counter set does not admit its groups, as it would be after the entries before
     * it; -1 if there is none.
     */
    int incompatibleEntry(int device) {
        CounterTable.CounterUse demand = table.demand(device);
        GroupState[] before = new GroupState[demand.sets().length];
        int refused = joinGroups(device, demand, before);
        if (refused < 0) {
            leaveGroups(demand, before, before.length);
        }
        return refused;
    }

    /** The column of a counter that would be below zero if the device were taken, one of its own first; -1 if there is none. */
    int shortColumn(int device) {
        CounterTable.CounterUse demand = table.demand(device);
        addToCounters(demand, -1);
        int column = overdrawn > 0
                ? IntStream.concat(IntStream.of(demand.columns()), IntStream.range(0, table.columns()))
                        .filter(each -> left(each).signum() < 0)
                        .findFirst()
                        .orElse(-1)
                : -1;
        addToCounters(demand, 1);
        return column;
    }

    /** What is left of a counter, in its units. */
    BigInteger left(int column) {
        return table.isWide() ? wideFree()[column] : BigInteger.valueOf(free()[column]);
    }

    /** The first capacity of which too little is left; null if there is none. */
    @Nullable String shortCapacity(int device, ConsumedCapacity.Amounts amounts) {
        int place = amounts.firstShort(baseline.taken(device), takenNow(device));
        return place < 0 ? null : capacities(device).get(place);
    }

    /** How much of a capacity is taken. */
    Quantity taken(int device, String capacity) {
        int place = capacities(device).indexOf(capacity);
        BigDecimal[] before = baseline.taken(device);
        BigDecimal[] now = takenNow(device);
        BigDecimal sum = before == null ? BigDecimal.ZERO : before[place];
        return Quantity.ZERO.withValue(now == null ? sum : sum.add(now[place]));
    }

    private List<String> capacities(int device) {
        return List.copyOf(pool.devices().get(device).device().capacity().keySet());
    }

    /** @return the first entry that is not admitted, and then nothing is changed; -1 if all are */
    private int joinGroups(int device, CounterTable.CounterUse demand, GroupState[] before) {
        if (!checksGroups) {
            return -1;
        }
        List<CounterConsumption> consumption =
                pool.devices().get(device).device().consumesCounters();
        for (int entry = 0; entry < before.length; entry++) {
            int set = demand.sets()[entry];
            GroupState state = groups[set];
            List<String> declared = consumption.get(entry).compatibilityGroups();
            if (!state.admits(declared)) {
                leaveGroups(demand, before, entry);
                return entry;
            }
            before[entry] = state;
            groups[set] = state.place(declared);
        }
        return -1;
    }

    private void leaveGroups(CounterTable.CounterUse demand, GroupState[] before, int entries) {
        if (checksGroups) {
            for (int entry = entries - 1; entry >= 0; entry--) {
                groups[demand.sets()[entry]] = before[entry];
            }
        }
    }

    private void addToCounters(CounterTable.CounterUse demand, int sign) {
        if (table.isWide()) {
            addToWideCounters(demand, sign);
            return;
        }
        long[] left = free();
        long[] amounts = demand.amounts();
        int[] columns = demand.columns();
        for (int i = 0; i < columns.length; i++) {
            long before = left[columns[i]];
            long after = before + sign * amounts[i];
            left[columns[i]] = after;
            overdrawn += (int) (after >>> 63) - (int) (before >>> 63);
        }
    }

    private void addToWideCounters(CounterTable.CounterUse demand, int sign) {
        BigInteger[] left = wideFree();
        for (int i = 0; i < demand.columns().length; i++) {
            int column = demand.columns()[i];
            BigInteger amount = demand.wideAmounts()[i];
            BigInteger before = left[column];
            left[column] = sign > 0 ? before.add(amount) : before.subtract(amount);
            overdrawn += (left[column].signum() < 0 ? 1 : 0) - (before.signum() < 0 ? 1 : 0);
        }
    }

    /** What is left of each counter, by column; not for wide tables. */
    long[] free() {
        long[] left = free;
        if (left == null) {
            left = baseline.freeAsLongs();
            free = left;
            overdrawn = baseline.overdrawn();
        }
        return left;
    }

    private BigInteger[] wideFree() {
        BigInteger[] left = wideFree;
        if (left == null) {
            left = baseline.free().clone();
            wideFree = left;
            overdrawn = baseline.overdrawn();
        }
        return left;
    }

    boolean checksGroups() {
        return checksGroups;
    }

    GroupState group(int set) {
        return groups[set];
    }
}
