package dev.fakegpu.cluster.check;

import java.util.List;
import java.util.stream.Stream;

/** All rules. */
public final class CheckRules {

    private static final List<Rule> ALL = Stream.of(
                    FieldChecks.RULES,
                    SliceChecks.RULES,
                    RefusalChecks.SLICE_RULES,
                    AttributeChecks.RULES,
                    CapacityChecks.RULES,
                    CounterChecks.RULES,
                    TaintChecks.RULES,
                    PoolChecks.RULES,
                    SharedDriverChecks.RULES,
                    NodeChecks.RULES,
                    LintChecks.RULES,
                    GroupChecks.RULES,
                    RefusalChecks.CLASS_RULES,
                    ClassChecks.RULES,
                    ObjectRefusals.RULES)
            .flatMap(List::stream)
            .toList();

    private CheckRules() {}

    /** The rules in the order in which they are listed: those of slices first, then those of pools, classes and other objects. */
    public static List<Rule> all() {
        return ALL;
    }
}
