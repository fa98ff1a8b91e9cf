package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the largest number of requests that devices of one pool can serve at once. Devices of different counter sets do not affect each
 * other and are counted separately. Devices of the same sets are searched by branch and bound, where interchangeable devices are one
 * choice.
 */
public final class Packing {

    /** More steps than the counter sets of any model in the catalog need. Beyond this limit there are only bounds. */
    static final int MAX_STEPS = 20_000;

    /** Keeps rounding of floating-point numbers from making a bound too small. */
    private static final double TOLERANCE = 1e-6;

    /**
     * A device that can be allocated if nothing else is.
     *
     * @param consumption the counters that it consumes; empty if it consumes none, or no more than it already does
     * @param times the number of requests that it can serve
     */
    public record Item(List<CounterConsumption> consumption, long times) {

        List<String> counterSets() {
            return consumption.stream().map(CounterConsumption::counterSet).toList();
        }
    }

    private final PoolRemainder remainder;
    private final boolean checksGroups;
    private final List<Item> items;
    private final int[] nextOther;
    private final BigDecimal[][] amounts;
    private final double[][] roundedAmounts;
    private final BigDecimal[] left;
    private final int[][] cheapestFirst;
    private final Map<String, GroupState> groups = new HashMap<>();
    private long best;
    private int steps;

    /** @param gate whether groups count */
    public static Count of(List<Item> items, PoolRemainder remainder, GroupsGate gate) {
        if (items.stream().anyMatch(item -> item.times() == Count.UNLIMITED)) {
            return Count.exactly(Count.UNLIMITED);
        }
        Map<Boolean, List<Item>> byConsumption = items.stream()
                .collect(Collectors.partitioningBy(item -> item.consumption().isEmpty()));
        Count sum = byConsumption.getOrDefault(true, List.of()).stream()
                .map(item -> Count.exactly(item.times()))
                .reduce(Count.NONE, Count::plus);
        for (List<Item> connected : connected(byConsumption.getOrDefault(false, List.of()))) {
            sum = sum.plus(new Packing(connected, remainder, gate == GroupsGate.ON).largest());
        }
        return sum;
    }

    /** Groups items: those that consume from a common counter set, directly or through others, are in the same list. */
    private static Collection<List<Item>> connected(List<Item> items) {
        var lists = new LinkedHashMap<Set<String>, List<Item>>();
        for (Item item : items) {
            Set<String> sets = new HashSet<>(item.counterSets());
            List<Item> together = new ArrayList<>();
            List.copyOf(lists.keySet()).stream()
                    .filter(other -> !Collections.disjoint(other, sets))
                    .forEach(other -> {
                        together.addAll(lists.remove(other));
                        sets.addAll(other);
                    });
            together.add(item);
            lists.put(sets, together);
        }
        return lists.values();
    }

    private Packing(List<Item> connected, PoolRemainder remainder, boolean checksGroups) {
        this.remainder = remainder;
        this.checksGroups = checksGroups;
        List<Column> columns = connected.stream()
                .flatMap(item -> item.consumption().stream())
                .flatMap(entry ->
                        entry.counters().keySet().stream().map(counter -> new Column(entry.counterSet(), counter)))
                .distinct()
                .toList();
        left = columns.stream()
                .map(column -> remainder.left(column.set(), column.counter()).value())
                .toArray(BigDecimal[]::new);
        items = smallestFirst(connected, columns);
        amounts = items.stream().map(item -> amounts(item, columns)).toArray(BigDecimal[][]::new);
        roundedAmounts = Arrays.stream(amounts)
                .map(row ->
                        Arrays.stream(row).mapToDouble(BigDecimal::doubleValue).toArray())
                .toArray(double[][]::new);
        nextOther = new int[items.size()];
        for (int i = items.size() - 1; i >= 0; i--) {
            boolean isLast = i + 1 == items.size() || !items.get(i + 1).equals(items.get(i));
            nextOther[i] = isLast ? i + 1 : nextOther[i + 1];
        }
        cheapestFirst =
                IntStream.range(0, columns.size()).mapToObj(this::cheapestFirst).toArray(int[][]::new);
    }

    /** A counter of a counter set. */
    private record Column(String set, String counter) {}

    private static BigDecimal[] amounts(Item item, List<Column> columns) {
        return columns.stream()
                .map(column -> item.consumption().stream()
                        .filter(entry -> entry.counterSet().equals(column.set()))
                        .filter(entry -> entry.counters().containsKey(column.counter()))
                        .map(entry -> entry.counters().get(column.counter()).value())
                        .reduce(BigDecimal.ZERO, BigDecimal::add))
                .toArray(BigDecimal[]::new);
    }

    /** Sorts devices that need little first, since the answer is likely to have many of them. Equal devices are adjacent. */
    private List<Item> smallestFirst(List<Item> connected, List<Column> columns) {
        var equal = new LinkedHashMap<Item, List<Item>>();
        connected.forEach(item ->
                equal.computeIfAbsent(item, ignored -> new ArrayList<>()).add(item));
        return equal.values().stream()
                .sorted(Comparator.comparingDouble(same -> size(same.get(0), columns)))
                .flatMap(List::stream)
                .toList();
    }

    /** The largest fraction of the remaining amount of any counter that one request takes. */
    private double size(Item item, List<Column> columns) {
        BigDecimal[] amounts = amounts(item, columns);
        return IntStream.range(0, left.length)
                        .filter(column -> left[column].signum() > 0)
                        .mapToDouble(column -> amounts[column].doubleValue() / left[column].doubleValue())
                        .max()
                        .orElse(0)
                / item.times();
    }

    private int[] cheapestFirst(int column) {
        return IntStream.range(0, items.size())
                .boxed()
                .sorted(Comparator.comparingDouble(
                        item -> roundedAmounts[item][column] / items.get(item).times()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private Count largest() {
        long atMost = bound(0);
        search(0, 0);
        return new Count(best, steps > MAX_STEPS ? Math.max(best, atMost) : best);
    }

    /** Decides the items from {@code next} on. The items before it are decided, and serve {@code served} requests. */
    private void search(int next, long served) {
        best = Math.max(best, served);
        if (next == items.size() || ++steps > MAX_STEPS || served + bound(next) <= best) {
            return;
        }
        Map<String, GroupState> before = take(next);
        if (before != null) {
            search(next + 1, served + items.get(next).times());
            giveBack(next, before);
        }
        search(nextOther[next], served);
    }

    /** @return the groups before; null if the device does not fit, in which case nothing is changed */
    private @Nullable Map<String, GroupState> take(int item) {
        BigDecimal[] needed = amounts[item];
        for (int column = 0; column < left.length; column++) {
            if (needed[column].compareTo(left[column]) > 0) {
                return null;
            }
        }
        var before = new HashMap<String, GroupState>();
        for (CounterConsumption entry : items.get(item).consumption()) {
            GroupState state = group(entry.counterSet());
            if (checksGroups && !state.admits(entry.compatibilityGroups())) {
                groups.putAll(before);
                return null;
            }
            before.putIfAbsent(entry.counterSet(), state);
            groups.put(entry.counterSet(), state.place(entry.compatibilityGroups()));
        }
        for (int column = 0; column < left.length; column++) {
            left[column] = left[column].subtract(needed[column]);
        }
        return before;
    }

    private void giveBack(int item, Map<String, GroupState> before) {
        groups.putAll(before);
        for (int column = 0; column < left.length; column++) {
            left[column] = left[column].add(amounts[item][column]);
        }
    }

    private GroupState group(String counterSet) {
        return groups.getOrDefault(counterSet, remainder.group(counterSet));
    }

    /**
     * An upper bound of the requests that the items from {@code next} on serve: by each counter alone, and by the items that groups do not
     * refuse.
     */
    private long bound(int next) {
        boolean[] possible = new boolean[items.size()];
        double bound = 0;
        for (int item = next; item < items.size(); item++) {
            possible[item] = isPossible(item);
            bound += possible[item] ? items.get(item).times() : 0;
        }
        for (int column = 0; column < left.length; column++) {
            bound = Math.min(bound, bound(possible, column));
        }
        return (long) Math.floor(bound + TOLERANCE);
    }

    private boolean isPossible(int item) {
        for (int column = 0; column < left.length; column++) {
            if (amounts[item][column].compareTo(left[column]) > 0) {
                return false;
            }
        }
        return !checksGroups
                || items.get(item).consumption().stream()
                        .allMatch(entry -> group(entry.counterSet()).admits(entry.compatibilityGroups()));
    }

    /** Computes the bound of one counter as if devices could be taken in part. */
    private double bound(boolean[] possible, int column) {
        double rest = left[column].doubleValue();
        double served = 0;
        for (int item : cheapestFirst[column]) {
            if (!possible[item]) {
                continue;
            }
            double amount = roundedAmounts[item][column];
            long times = items.get(item).times();
            if (amount > rest * (1 + TOLERANCE)) {
                return served + times * (rest * (1 + TOLERANCE)) / amount;
            }
            served += times;
            rest -= amount;
        }
        return served;
    }
}
