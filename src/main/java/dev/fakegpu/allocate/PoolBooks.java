package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is left of one pool while an attempt tries one device after the other: devices in use, counters, groups on counter sets,
 * capacity. Everything that is taken can be given back, in reverse order. Upstream: {@code checkAvailableCounters},
 * {@code checkAndConsumeCompatibilityGroups} and the in-flight state of {@code allocator} in {@code allocator_experimental.go}.
 */
final class PoolBooks {

    private final Pool.Usable pool;
    private final CounterTable table;
    private final Baseline baseline;
    private final boolean checksGroups;
    private final long[] busy;
    private @Nullable Map<Integer, BigDecimal[]> takenNow;
    private final GroupState[] groups;
    private long @Nullable [] free;
    private BigInteger @Nullable [] wideFree;
    private int overdrawn = -1;

    PoolBooks(Pool.Usable pool, Baseline baseline, Gate gate) {
        this.pool = pool;
        this.baseline = baseline;
        table = pool.counters();
        checksGroups = gate != Gate.UNAWARE;
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

    boolean fits(int device, Portion.Amounts amounts) {
        return amounts.fits(baseline.taken(device), takenNow(device));
    }

    /** Whether so much fits beside what is taken of a device. */
    boolean fits(int device, BigDecimal[] more, Portion.Amounts amounts) {
        BigDecimal[] now = takenNow(device);
        return amounts.fits(baseline.taken(device), now == null ? more : Portion.Amounts.plus(now, more));
    }

    /** @return what {@link #giveBackShare} needs */
    BigDecimal @Nullable [] takeShare(int device, Portion.Amounts amounts) {
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
        CounterTable.Demand demand = table.demand(device);
        GroupState[] before = new GroupState[demand.sets().length];
        if (!joinGroups(device, demand, before)) {
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
        CounterTable.Demand demand = table.demand(device);
        addToCounters(demand, 1);
        leaveGroups(demand, before, before.length);
    }

    private boolean joinGroups(int device, CounterTable.Demand demand, GroupState[] before) {
        if (!checksGroups) {
            return true;
        }
        List<CounterConsumption> consumption =
                pool.devices().get(device).device().consumesCounters();
        for (int entry = 0; entry < before.length; entry++) {
            int set = demand.sets()[entry];
            GroupState state = groups[set];
            List<String> declared = consumption.get(entry).compatibilityGroups();
            if (!state.admits(declared)) {
                leaveGroups(demand, before, entry);
                return false;
            }
            before[entry] = state;
            groups[set] = state.place(declared);
        }
        return true;
    }

    private void leaveGroups(CounterTable.Demand demand, GroupState[] before, int entries) {
        if (checksGroups) {
            for (int entry = entries - 1; entry >= 0; entry--) {
                groups[demand.sets()[entry]] = before[entry];
            }
        }
    }

    private void addToCounters(CounterTable.Demand demand, int sign) {
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

    private void addToWideCounters(CounterTable.Demand demand, int sign) {
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
