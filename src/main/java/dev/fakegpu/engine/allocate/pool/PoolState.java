package dev.fakegpu.engine.allocate.pool;

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
 * What is left of one pool during a search: devices that are not in use, counters, groups on counter sets, and capacity. Everything that is
 * taken can be given back, in reverse order. Upstream: {@code checkAvailableCounters}, {@code checkAndConsumeCompatibilityGroups} and the
 * in-flight state of {@code allocator} in {@code allocator_experimental.go}.
 */
public final class PoolState {

    private final Pool.Usable pool;
    private final CounterTable table;
    private final CommittedState committed;
    private final boolean checksGroups;
    private final long[] busy;
    private @Nullable Map<Integer, BigDecimal[]> takenNow;
    private final GroupState[] groups;
    private long @Nullable [] free;
    private BigInteger @Nullable [] wideFree;
    private int overdrawn = -1;

    private PoolState(Pool.Usable pool, CommittedState committed, GroupsGate gate) {
        this.pool = pool;
        this.committed = committed;
        table = pool.caches().counters();
        checksGroups = gate != GroupsGate.UNAWARE;
        busy = committed.busy().clone();
        groups = committed.groups().clone();
    }

    /** The state of a pool without picked devices. */
    public static PoolState of(Pool.Usable pool, AllocatedDevices allocated, GroupsGate gate) {
        return new PoolState(pool, pool.caches().committed(allocated, gate), gate);
    }

    public Pool.Usable pool() {
        return pool;
    }

    /** One bit for each of 64 devices; set if the device is allocated or picked as a whole. */
    public long busy(int word) {
        return busy[word];
    }

    public boolean isBusy(int device) {
        return Bits.get(busy, device);
    }

    /** @return whether the device was not marked before */
    public boolean markBusy(int device) {
        boolean changed = !Bits.get(busy, device);
        Bits.set(busy, device);
        return changed;
    }

    public void unmarkBusy(int device) {
        Bits.clear(busy, device);
    }

    /** Whether a share of the device is allocated or picked. */
    public boolean isShared(int device) {
        return committed.taken(device) != null || takenNow(device) != null;
    }

    private BigDecimal @Nullable [] takenNow(int device) {
        return takenNow == null ? null : takenNow.get(device);
    }

    public boolean fits(int device, ConsumedCapacity.Amounts amounts) {
        return amounts.fits(committed.taken(device), takenNow(device));
    }

    /** Whether the amounts fit in addition to what is taken of the device and {@code more}. */
    public boolean fits(int device, BigDecimal[] more, ConsumedCapacity.Amounts amounts) {
        BigDecimal[] now = takenNow(device);
        return amounts.fits(committed.taken(device), now == null ? more : ConsumedCapacity.Amounts.plus(now, more));
    }

    /** @return the argument for {@link #giveBackShare} */
    public BigDecimal @Nullable [] takeShare(int device, ConsumedCapacity.Amounts amounts) {
        if (takenNow == null) {
            takenNow = new HashMap<>();
        }
        BigDecimal[] before = takenNow.get(device);
        takenNow.put(device, amounts.plus(before));
        return before;
    }

    public void giveBackShare(int device, BigDecimal @Nullable [] before) {
        Map<Integer, BigDecimal[]> shares = Objects.requireNonNull(takenNow);
        if (before == null) {
            shares.remove(device);
        } else {
            shares.put(device, before);
        }
    }

    /**
     * Takes what a device consumes from its counter sets. Each set must admit its groups, and no counter of the pool may become negative.
     * Upstream compares all counters of the pool, so one overdrawn counter blocks every device that consumes any counter.
     *
     * @return the argument for {@link #giveBack}; null if the device cannot be taken, in which case nothing is changed
     */
    public GroupState @Nullable [] take(int device) {
        CounterTable.CounterUse use = table.use(device);
        GroupState[] before = new GroupState[use.sets().length];
        if (joinGroups(device, use, before) >= 0) {
            return null;
        }
        addToCounters(use, -1);
        if (overdrawn > 0) {
            giveBack(device, before);
            return null;
        }
        return before;
    }

    public void giveBack(int device, GroupState[] before) {
        CounterTable.CounterUse use = table.use(device);
        addToCounters(use, 1);
        leaveGroups(use, before, before.length);
    }

    /**
     * The index of a device's first consumption entry whose counter set does not admit its groups, after the previous entries have joined;
     * -1 if there is none.
     */
    public int incompatibleEntry(int device) {
        CounterTable.CounterUse use = table.use(device);
        GroupState[] before = new GroupState[use.sets().length];
        int refused = joinGroups(device, use, before);
        if (refused < 0) {
            leaveGroups(use, before, before.length);
        }
        return refused;
    }

    /**
     * The column of a counter that would become negative if the device were taken, preferably one that the device consumes; -1 if there is
     * none.
     */
    public int shortColumn(int device) {
        CounterTable.CounterUse use = table.use(device);
        addToCounters(use, -1);
        int column = overdrawn > 0
                ? IntStream.concat(IntStream.of(use.columns()), IntStream.range(0, table.columns()))
                        .filter(each -> left(each).signum() < 0)
                        .findFirst()
                        .orElse(-1)
                : -1;
        addToCounters(use, 1);
        return column;
    }

    /** What is left of a counter, in units of its column. */
    public BigInteger left(int column) {
        return table.isWide() ? wideFree()[column] : BigInteger.valueOf(free()[column]);
    }

    /** The first capacity of which too little is left; null if there is none. */
    public @Nullable String shortCapacity(int device, ConsumedCapacity.Amounts amounts) {
        int place = amounts.firstShort(committed.taken(device), takenNow(device));
        return place < 0 ? null : capacities(device).get(place);
    }

    /** The consumed amount of a capacity. */
    public Quantity taken(int device, String capacity) {
        int place = capacities(device).indexOf(capacity);
        BigDecimal[] before = committed.taken(device);
        BigDecimal[] now = takenNow(device);
        BigDecimal sum = before == null ? BigDecimal.ZERO : before[place];
        return Quantity.ZERO.withValue(now == null ? sum : sum.add(now[place]));
    }

    private List<String> capacities(int device) {
        return List.copyOf(pool.devices().get(device).device().capacity().keySet());
    }

    /** @return the first entry that is not admitted, in which case nothing is changed; -1 if all are admitted */
    private int joinGroups(int device, CounterTable.CounterUse use, GroupState[] before) {
        if (!checksGroups) {
            return -1;
        }
        List<CounterConsumption> consumption =
                pool.devices().get(device).device().consumesCounters();
        for (int entry = 0; entry < before.length; entry++) {
            int set = use.sets()[entry];
            GroupState state = groups[set];
            List<String> declared = consumption.get(entry).compatibilityGroups();
            if (!state.admits(declared)) {
                leaveGroups(use, before, entry);
                return entry;
            }
            before[entry] = state;
            groups[set] = state.place(declared);
        }
        return -1;
    }

    private void leaveGroups(CounterTable.CounterUse use, GroupState[] before, int entries) {
        if (checksGroups) {
            for (int entry = entries - 1; entry >= 0; entry--) {
                groups[use.sets()[entry]] = before[entry];
            }
        }
    }

    private void addToCounters(CounterTable.CounterUse use, int sign) {
        if (table.isWide()) {
            addToWideCounters(use, sign);
            return;
        }
        long[] left = free();
        long[] amounts = use.amounts();
        int[] columns = use.columns();
        for (int i = 0; i < columns.length; i++) {
            long before = left[columns[i]];
            long after = before + sign * amounts[i];
            left[columns[i]] = after;
            overdrawn += (int) (after >>> 63) - (int) (before >>> 63);
        }
    }

    private void addToWideCounters(CounterTable.CounterUse use, int sign) {
        BigInteger[] left = wideFree();
        for (int i = 0; i < use.columns().length; i++) {
            int column = use.columns()[i];
            BigInteger amount = use.wideAmounts()[i];
            BigInteger before = left[column];
            left[column] = sign > 0 ? before.add(amount) : before.subtract(amount);
            overdrawn += (left[column].signum() < 0 ? 1 : 0) - (before.signum() < 0 ? 1 : 0);
        }
    }

    /** What is left of each counter, by column. Not for wide tables. */
    public long[] free() {
        long[] left = free;
        if (left == null) {
            left = committed.freeAsLongs();
            free = left;
            overdrawn = committed.overdrawn();
        }
        return left;
    }

    private BigInteger[] wideFree() {
        BigInteger[] left = wideFree;
        if (left == null) {
            left = committed.free().clone();
            wideFree = left;
            overdrawn = committed.overdrawn();
        }
        return left;
    }

    public GroupState group(int set) {
        return groups[set];
    }
}
