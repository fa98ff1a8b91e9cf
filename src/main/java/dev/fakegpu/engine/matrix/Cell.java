package dev.fakegpu.engine.matrix;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether devices of two kinds can be allocated at the same time.
 *
 * @param counter the counter that does not suffice, for {@link Answer#COUNTER}
 */
record Cell(Answer answer, String counter) {

    enum Answer {
        /** Every pair fits. */
        YES,
        /** Some pairs fit, others do not. */
        SOME,
        /** No pair fits, because of groups only. */
        GROUPS,
        /** No pair fits, because of a counter only. */
        COUNTER,
        /** No pair fits, because of both groups and counters. */
        BOTH,
        /** There is only one device of this kind. */
        SINGLE
    }

    static Cell of(Kind one, Kind other, Pairs pairs) {
        List<Pairs.Relation> relations = relations(one, other, pairs);
        if (relations.isEmpty()) {
            return new Cell(Answer.SINGLE, "");
        }
        long fitting = relations.stream().filter(Pairs.Relation::fits).count();
        if (fitting > 0) {
            return new Cell(fitting == relations.size() ? Answer.YES : Answer.SOME, "");
        }
        boolean groups = relations.stream().allMatch(Pairs.Relation::groupsRefuse);
        boolean counters =
                relations.stream().allMatch(relation -> relation.shortCounter().isPresent());
        if (groups == counters) {
            return new Cell(Answer.BOTH, "");
        }
        return groups ? new Cell(Answer.GROUPS, "") : new Cell(Answer.COUNTER, mostFrequent(relations));
    }

    private static List<Pairs.Relation> relations(Kind one, Kind other, Pairs pairs) {
        var relations = new ArrayList<Pairs.Relation>();
        one.devices()
                .forEach(device -> other.devices().stream()
                        .filter(otherDevice -> otherDevice != device)
                        .forEach(otherDevice -> relations.add(pairs.of(device, otherDevice))));
        return relations;
    }

    private static String mostFrequent(List<Pairs.Relation> relations) {
        var counts = new LinkedHashMap<String, Integer>();
        relations.stream()
                .map(Pairs.Relation::shortCounter)
                .flatMap(Optional::stream)
                .forEach(counter -> counts.merge(counter, 1, Integer::sum));
        return counts.entrySet().stream()
                .reduce((most, next) -> next.getValue() > most.getValue() ? next : most)
                .map(Map.Entry::getKey)
                .orElse("");
    }

    @Override
    public String toString() {
        return switch (answer) {
            case YES -> "yes";
            case SOME -> "some";
            case GROUPS -> "no: groups";
            case COUNTER -> "no: " + counter;
            case BOTH -> "no: both";
            case SINGLE -> "-";
        };
    }
}
