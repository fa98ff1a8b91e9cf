package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Short names of counter sets in sentences. A counter set is named after its hardware, unless findings are about two sets of the same
 * hardware.
 *
 * @param names the names of all counter sets that the findings are about
 */
record CounterSets(Set<String> names) {

    static CounterSets in(List<Finding> findings) {
        return new CounterSets(findings.stream()
                .flatMap(finding -> finding.stopped().stream())
                .flatMap(stopped -> stopped.everyWay().stream())
                .flatMap(way -> name(way.refusal()))
                .collect(Collectors.toSet()));
    }

    private static Stream<String> name(Refusal refusal) {
        if (refusal instanceof Refusal.GroupsIncompatible incompatible) {
            return Stream.of(incompatible.counterSet());
        }
        if (refusal instanceof Refusal.CounterShort counter) {
            return Stream.of(counter.counterSet());
        }
        return refusal instanceof Refusal.PoolOverdrawn overdrawn ? Stream.of(overdrawn.counterSet()) : Stream.empty();
    }

    String text(String counterSet) {
        String hardware = CounterSet.hardware(counterSet);
        boolean isOnly = names.stream()
                .allMatch(name ->
                        name.equals(counterSet) || !CounterSet.hardware(name).equals(hardware));
        return isOnly ? hardware : counterSet;
    }
}
