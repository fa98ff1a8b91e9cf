package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.lookahead.DeviceCounters;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shared counters of a pool as whole numbers, with one column for each counter of each counter set. The unit of a column is the largest
 * unit in which all of its amounts are whole. Amounts are {@code long}s, unless the sum of a column would not fit; then the whole table is
 * {@link #isWide wide} and uses {@link BigInteger}s.
 */
public final class CounterTable {

    private static final int[] NONE = {};
    private static final BigInteger LONG_BOUND = BigInteger.ONE.shiftLeft(62);

    private final Map<String, Map<String, Integer>> columns = new HashMap<>();
    private final Map<String, Integer> sets = new HashMap<>();
    private final List<BigDecimal> units;
    private final BigDecimal[] declared;
    private final boolean wide;
    private final CounterUse[] uses;
    private final boolean simple;

    /**
     * What one device consumes.
     *
     * @param columns the columns; a column can occur twice
     * @param amounts one amount per column; empty in a wide table
     * @param wideAmounts one amount per column; empty in a table that is not wide
     * @param sets the counter set of each of the device's consumption entries
     */
    record CounterUse(int[] columns, long[] amounts, BigInteger[] wideAmounts, int[] sets) {

        static final CounterUse NOTHING = new CounterUse(NONE, new long[0], new BigInteger[0], NONE);
    }

    private CounterTable(Map<String, CounterSet> counterSets, List<List<CounterConsumption>> devices) {
        var values = new ArrayList<BigDecimal>();
        counterSets.values().forEach(set -> {
            sets.put(set.name(), sets.size());
            Map<String, Integer> ofSet = new HashMap<>();
            set.counters().forEach((name, value) -> {
                ofSet.put(name, values.size());
                values.add(value.value());
            });
            columns.put(set.name(), ofSet);
        });
        units = units(values, devices);
        declared = values.toArray(BigDecimal[]::new);
        wide = isTooLarge(devices);
        uses = new CounterUse[devices.size()];
        var known = new HashMap<List<CounterConsumption>, CounterUse>();
        for (int i = 0; i < uses.length; i++) {
            uses[i] = devices.get(i).isEmpty()
                    ? CounterUse.NOTHING
                    : known.computeIfAbsent(withoutGroups(devices.get(i)), this::use);
        }
        simple = !wide
                && known.values().stream()
                        .allMatch(use -> Arrays.stream(use.amounts()).allMatch(amount -> amount >= 0));
    }

    /** @param devices what each device consumes */
    static CounterTable of(Map<String, CounterSet> counterSets, List<List<CounterConsumption>> devices) {
        return new CounterTable(counterSets, devices);
    }

    private static List<CounterConsumption> withoutGroups(List<CounterConsumption> consumption) {
        return consumption.stream().map(CounterConsumption::withoutGroups).toList();
    }

    private List<BigDecimal> units(List<BigDecimal> declaredValues, List<List<CounterConsumption>> devices) {
        var divisors = new ArrayList<>(declaredValues);
        devices.forEach(device -> forEachAmount(
                device, (column, amount) -> divisors.set(column, commonDivisor(divisors.get(column), amount.value()))));
        divisors.replaceAll(divisor -> divisor.signum() == 0 ? BigDecimal.ONE : divisor.abs());
        return divisors;
    }

    private static BigDecimal commonDivisor(BigDecimal a, BigDecimal b) {
        int scale = Math.max(0, Math.max(a.scale(), b.scale()));
        BigInteger divisor =
                a.setScale(scale).unscaledValue().gcd(b.setScale(scale).unscaledValue());
        return new BigDecimal(divisor, scale).stripTrailingZeros();
    }

    private boolean isTooLarge(List<List<CounterConsumption>> devices) {
        var sums = new BigInteger[declared.length];
        for (int column = 0; column < sums.length; column++) {
            sums[column] = floor(declared[column], column).abs();
        }
        devices.forEach(device -> forEachAmount(
                device,
                (column, amount) -> sums[column] =
                        sums[column].add(floor(amount.value(), column).abs())));
        for (BigInteger sum : sums) {
            if (sum.compareTo(LONG_BOUND) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Processes what a device consumes from one counter. */
    interface AmountVisitor {
        void visit(int column, Quantity amount);
    }

    /** Skips unknown counters, which occur if the feature for partitionable devices is off. */
    void forEachAmount(List<CounterConsumption> consumption, AmountVisitor visitor) {
        for (CounterConsumption entry : consumption) {
            Map<String, Integer> ofSet = columns.getOrDefault(entry.counterSet(), Map.of());
            entry.counters().forEach((name, amount) -> {
                Integer column = ofSet.get(name);
                if (column != null) {
                    visitor.visit(column, amount);
                }
            });
        }
    }

    private CounterUse use(List<CounterConsumption> consumption) {
        if (consumption.isEmpty() || sets.isEmpty()) {
            return CounterUse.NOTHING;
        }
        var ofColumns = new ArrayList<Integer>();
        var amounts = new ArrayList<BigInteger>();
        for (CounterConsumption entry : consumption) {
            entry.counters().forEach((name, amount) -> {
                int column = column(entry.counterSet(), name);
                ofColumns.add(column);
                amounts.add(floor(amount.value(), column));
            });
        }
        return new CounterUse(
                ofColumns.stream().mapToInt(column -> column).toArray(),
                wide
                        ? new long[0]
                        : amounts.stream().mapToLong(BigInteger::longValueExact).toArray(),
                wide ? amounts.toArray(BigInteger[]::new) : new BigInteger[0],
                consumption.stream()
                        .mapToInt(entry -> sets.get(entry.counterSet()))
                        .toArray());
    }

    /** An amount in whole units of its column, rounded down. The amounts that the pool's own devices consume are whole. */
    BigInteger floor(BigDecimal amount, int column) {
        return amount.divide(units.get(column), 0, RoundingMode.FLOOR).toBigInteger();
    }

    /** Converts whole units back to an amount. */
    public BigDecimal amount(int column, BigInteger wholeUnits) {
        return units.get(column).multiply(new BigDecimal(wholeUnits));
    }

    boolean isWide() {
        return wide;
    }

    /** Whether all amounts are {@code long}s and none is negative. The API does not rule out negative amounts. */
    public boolean isSimple() {
        return simple;
    }

    /** The amounts that the pool's counter sets declare, by column. */
    BigDecimal[] declared() {
        return declared.clone();
    }

    int columns() {
        return declared.length;
    }

    int sets() {
        return sets.size();
    }

    public int set(String name) {
        return sets.getOrDefault(name, -1);
    }

    /** The column of a counter; -1 if there is none. */
    public int column(String set, String counter) {
        return columns.getOrDefault(set, Map.of()).getOrDefault(counter, -1);
    }

    CounterUse use(int device) {
        return uses[device];
    }

    /**
     * What each device consumes. Not for wide tables.
     *
     * @param devices the devices from which the table was created
     */
    List<DeviceCounters> byDevice(List<List<CounterConsumption>> devices) {
        var byDevice = new ArrayList<DeviceCounters>(uses.length);
        for (int i = 0; i < uses.length; i++) {
            List<List<String>> groups = devices.get(i).stream()
                    .map(CounterConsumption::compatibilityGroups)
                    .toList();
            byDevice.add(new DeviceCounters(uses[i].columns(), uses[i].amounts(), uses[i].sets(), groups));
        }
        return byDevice;
    }
}
