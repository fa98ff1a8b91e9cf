package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shared counters of a pool as whole numbers: one column for each counter of each counter set, in its own unit, the largest in
 * which all of its amounts are whole. Amounts are held in {@code long}s; where a counter's amounts are so far apart that their
 * sum would not fit, the whole table uses {@link BigInteger}s instead, which {@link #isWide} says.
 */
final class CounterTable {

    private static final int[] NONE = {};
    private static final BigInteger LONG_BOUND = BigInteger.ONE.shiftLeft(62);

    private final Map<String, Map<String, Integer>> columns = new HashMap<>();
    private final Map<String, Integer> sets = new HashMap<>();
    private final List<String> setNames = new ArrayList<>();
    private final List<BigDecimal> units;
    private final BigDecimal[] declared;
    private final boolean wide;
    private final CounterUse[] demands;
    private final boolean simple;

    /**
     * What one device takes.
     *
     * @param columns a column may be named twice
     * @param amounts one for each of them; empty in a wide table
     * @param wideAmounts likewise; empty in any other table
     * @param sets the counter set of each of the device's consumption entries
     */
    record CounterUse(int[] columns, long[] amounts, BigInteger[] wideAmounts, int[] sets) {

        static final CounterUse NOTHING = new CounterUse(NONE, new long[0], new BigInteger[0], NONE);
    }

    private CounterTable(Map<String, CounterSet> counterSets, List<PoolDevice> devices) {
        var values = new ArrayList<BigDecimal>();
        counterSets.values().forEach(set -> {
            sets.put(set.name(), sets.size());
            setNames.add(set.name());
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
        demands = new CounterUse[devices.size()];
        var known = new HashMap<List<CounterConsumption>, CounterUse>();
        for (int i = 0; i < demands.length; i++) {
            Device device = devices.get(i).device();
            demands[i] = device.consumesCounters().isEmpty()
                    ? CounterUse.NOTHING
                    : known.computeIfAbsent(withoutGroups(device), this::demand);
        }
        simple = !wide
                && known.values().stream()
                        .allMatch(demand -> Arrays.stream(demand.amounts()).allMatch(amount -> amount >= 0));
    }

    static CounterTable of(Map<String, CounterSet> counterSets, List<PoolDevice> devices) {
        return new CounterTable(counterSets, devices);
    }

    private static List<CounterConsumption> withoutGroups(Device device) {
        return device.consumesCounters().stream()
                .map(CounterConsumption::withoutGroups)
                .toList();
    }

    private List<BigDecimal> units(List<BigDecimal> declaredValues, List<PoolDevice> devices) {
        var divisors = new ArrayList<>(declaredValues);
        devices.forEach(device -> forEachAmount(
                device.device(),
                (column, amount) -> divisors.set(column, commonDivisor(divisors.get(column), amount.value()))));
        divisors.replaceAll(divisor -> divisor.signum() == 0 ? BigDecimal.ONE : divisor.abs());
        return divisors;
    }

    private static BigDecimal commonDivisor(BigDecimal a, BigDecimal b) {
        int scale = Math.max(0, Math.max(a.scale(), b.scale()));
        BigInteger divisor =
                a.setScale(scale).unscaledValue().gcd(b.setScale(scale).unscaledValue());
        return new BigDecimal(divisor, scale).stripTrailingZeros();
    }

    private boolean isTooLarge(List<PoolDevice> devices) {
        var sums = new BigInteger[declared.length];
        for (int column = 0; column < sums.length; column++) {
            sums[column] = floor(declared[column], column).abs();
        }
        devices.forEach(device -> forEachAmount(
                device.device(),
                (column, amount) -> sums[column] =
                        sums[column].add(floor(amount.value(), column).abs())));
        for (BigInteger sum : sums) {
            if (sum.compareTo(LONG_BOUND) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Takes what a device consumes of one counter. */
    interface AmountVisitor {
        void visit(int column, Quantity amount);
    }

    /** Without partitionable devices counters are not known, so what is not there is passed over. */
    void forEachAmount(Device device, AmountVisitor visitor) {
        for (CounterConsumption entry : device.consumesCounters()) {
            Map<String, Integer> ofSet = columns.getOrDefault(entry.counterSet(), Map.of());
            entry.counters().forEach((name, amount) -> {
                Integer column = ofSet.get(name);
                if (column != null) {
                    visitor.visit(column, amount);
                }
            });
        }
    }

    private CounterUse demand(List<CounterConsumption> consumption) {
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

    /** So many whole units as are in an amount; what this pool's own devices take are whole units. */
    BigInteger floor(BigDecimal amount, int column) {
        return amount.divide(units.get(column), 0, RoundingMode.FLOOR).toBigInteger();
    }

    /** The reverse of {@link #floor}, for whole units. */
    BigDecimal amount(int column, BigInteger wholeUnits) {
        return units.get(column).multiply(new BigDecimal(wholeUnits));
    }

    boolean isWide() {
        return wide;
    }

    /** Whether all amounts are {@code long}s and none is negative, which the API does not allow but a slice may have. */
    boolean isSimple() {
        return simple;
    }

    /** What the pool's counter sets declare, by column. */
    BigDecimal[] declared() {
        return declared.clone();
    }

    int columns() {
        return declared.length;
    }

    int sets() {
        return setNames.size();
    }

    String setName(int set) {
        return setNames.get(set);
    }

    int set(String name) {
        return sets.getOrDefault(name, -1);
    }

    /** The column of a counter, -1 if there is none. */
    int column(String set, String counter) {
        return columns.getOrDefault(set, Map.of()).getOrDefault(counter, -1);
    }

    CounterUse demand(int device) {
        return demands[device];
    }
}
