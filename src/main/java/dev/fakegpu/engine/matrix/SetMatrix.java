package dev.fakegpu.engine.matrix;

import dev.fakegpu.engine.headroom.Count;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Which kinds of devices of a counter set can be allocated together.
 *
 * @param pool the name of the pool
 * @param counters the counters of the set, as {@code name amount}
 * @param alike the number of other counter sets that are equal to this one
 * @param rows one row for each kind
 */
public record SetMatrix(
        String driver, String pool, String counterSet, List<String> counters, int alike, List<Row> rows) {

    static final String SHARED = " shared";

    /**
     * A kind of devices.
     *
     * @param kind the device's name, or for several devices the common part of their names
     * @param devices the number of devices that are published
     * @param atOnce the number of devices that fit at once: a lower bound after {@code ≥} if it is not known exactly, and followed by
     *     {@code shared} if several claims can share each of them
     * @param with for each row: {@code yes}, {@code some}, {@code no: } followed by what excludes them, or {@code -}
     */
    public record Row(String kind, int devices, String atOnce, List<String> groups, List<String> with) {}

    static SetMatrix of(SharedSet shared, Pairs pairs, int alike) {
        var rows = shared.kinds().stream()
                .map(kind -> new Row(
                        kind.name(),
                        kind.devices().size(),
                        atOnce(shared.hardware().atOnce(kind.devices())) + (kind.isShared() ? SHARED : ""),
                        kind.groups(),
                        shared.kinds().stream()
                                .map(other -> Cell.of(kind, other, pairs).toString())
                                .toList()))
                .toList();
        return new SetMatrix(
                shared.hardware().pool().driver(),
                shared.hardware().pool().name(),
                shared.set().name(),
                shared.set().counters().entrySet().stream()
                        .map(counter -> counter.getKey() + " " + counter.getValue())
                        .toList(),
                alike,
                rows);
    }

    private static String atOnce(Count count) {
        return count.isExact() ? Long.toString(count.atLeast()) : "≥" + count.atLeast();
    }

    /** The matrix with only those kinds whose names match. */
    SetMatrix narrowed(Predicate<String> kinds) {
        List<Integer> kept = IntStream.range(0, rows.size())
                .filter(index -> kinds.test(rows.get(index).kind()))
                .boxed()
                .toList();
        return new SetMatrix(
                driver,
                pool,
                counterSet,
                counters,
                alike,
                kept.stream().map(index -> narrowed(rows.get(index), kept)).toList());
    }

    private static Row narrowed(Row row, List<Integer> kept) {
        List<String> with = kept.stream().map(row.with()::get).toList();
        return new Row(row.kind(), row.devices(), row.atOnce(), row.groups(), with);
    }
}
