package dev.fakegpu.engine.allocate.lookahead;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Enumerates the values on which several {@code matchAttribute} constraints can still agree. */
final class MatchScenarios {

    /** With more combinations of values than this, the constraints with the most values are ignored. */
    static final int MAX = 256;

    private final List<ConstraintSupport> constraints;
    private final RemainingDemand remaining;
    private final SearchState state;

    MatchScenarios(List<ConstraintSupport> constraints, RemainingDemand remaining, SearchState state) {
        this.constraints = constraints;
        this.remaining = remaining;
        this.state = state;
    }

    /** Whether a condition holds in any scenario. Without open constraints there is one empty scenario. */
    boolean anyMatch(Predicate<Scenario> condition) {
        List<ConstraintSupport> open = new ArrayList<>();
        List<List<Object>> choices = new ArrayList<>();
        for (ConstraintSupport constraint : constraints) {
            if (remaining.of(constraint) > 0) {
                List<Object> values = values(constraint);
                if (values.isEmpty()) {
                    return false;
                }
                open.add(constraint);
                choices.add(values);
            }
        }
        ignoreWidest(open, choices);
        return anyMatch(open, choices, new ArrayList<>(), condition);
    }

    private static void ignoreWidest(List<ConstraintSupport> open, List<List<Object>> choices) {
        while (choices.stream().mapToLong(List::size).reduce(1, (a, b) -> Math.min(a * b, 1L << 31)) > MAX) {
            int widest = 0;
            for (int i = 1; i < choices.size(); i++) {
                widest = choices.get(i).size() > choices.get(widest).size() ? i : widest;
            }
            open.remove(widest);
            choices.remove(widest);
        }
    }

    private List<Object> values(ConstraintSupport constraint) {
        var values = new ArrayList<Object>();
        constraint.devicesByValue().forEach((value, devices) -> {
            if (constraint.isOpen(value) && remaining.eachFinds(devices, constraint, state)) {
                values.add(value);
            }
        });
        return values;
    }

    private static boolean anyMatch(
            List<ConstraintSupport> open,
            List<List<Object>> choices,
            List<Object> chosen,
            Predicate<Scenario> condition) {
        if (chosen.size() == open.size()) {
            return condition.test(new Scenario(open, chosen));
        }
        for (Object value : choices.get(chosen.size())) {
            chosen.add(value);
            if (anyMatch(open, choices, chosen, condition)) {
                return true;
            }
            chosen.remove(chosen.size() - 1);
        }
        return false;
    }
}
