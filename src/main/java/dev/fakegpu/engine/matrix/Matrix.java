package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;

/**
 * Which devices can be allocated together, and lints for their declaration.
 *
 * @param sets one entry per group of equal counter sets
 * @param independent the names of devices without counters, which exclude no other devices, with {@code *} for numbers
 */
public record Matrix(List<SetMatrix> sets, List<String> independent, List<Lint> lints) {

    public Matrix {
        sets = List.copyOf(sets);
        independent = List.copyOf(independent);
        lints = List.copyOf(lints);
    }

    /** @param slices the slices of any number of pools; older generations are ignored */
    public static Matrix of(List<Slice> slices) {
        var sets = new ArrayList<SetMatrix>();
        var lints = new ArrayList<Lint>();
        var independent = new ArrayList<Device>();
        var usable = new ArrayList<PoolHardware>();
        var invalid = new ArrayList<PoolHardware>();
        for (PoolHardware hardware : PoolHardware.of(slices)) {
            List<Lint> problems = PoolLints.of(hardware);
            lints.addAll(problems);
            if (problems.stream().allMatch(lint -> lint.rule() == Lint.Rule.INCOMPLETE_POOL)) {
                usable.add(hardware);
                independent.addAll(hardware.withoutCounters());
            } else {
                invalid.add(hardware.withUniqueCounterSets());
            }
        }
        for (List<SharedSet> alike : alike(usable)) {
            SharedSet first = alike.get(0);
            var pairs = new Pairs(first.hardware().counterSets());
            if (!first.kinds().isEmpty()) {
                sets.add(SetMatrix.of(first, pairs, alike.size() - 1));
            }
            lints.addAll(SetLints.of(first, pairs, alike.size() - 1));
        }
        alike(invalid).forEach(alike -> lints.addAll(SetLints.ofInvalidPool(alike.get(0), alike.size() - 1)));
        return new Matrix(sets, Kind.names(independent), lints);
    }

    private static List<List<SharedSet>> alike(List<PoolHardware> pools) {
        var byLikeness = new LinkedHashMap<Object, List<SharedSet>>();
        pools.forEach(hardware -> hardware.counterSets().forEach(set -> {
            SharedSet shared = SharedSet.of(hardware, set);
            byLikeness
                    .computeIfAbsent(shared.likeness(), ignored -> new ArrayList<>())
                    .add(shared);
        }));
        return List.copyOf(byLikeness.values());
    }

    /** The matrix with only those kinds in its tables whose names match. Lints are not filtered. */
    public Matrix narrowed(Predicate<String> kinds) {
        return new Matrix(
                sets.stream()
                        .map(set -> set.narrowed(kinds))
                        .filter(set -> !set.rows().isEmpty())
                        .toList(),
                independent.stream().filter(kinds).toList(),
                lints);
    }
}
