package dev.fakegpu.engine.preemption;

import java.util.List;

/**
 * How many pods of each victim would go against a budget. Upstream: {@code FilterVictimsWithPDBViolation} in {@code
 * pkg/scheduler/framework/preemption/util.go}: budgets are used up in the order of the victims, and those that one does not allow are counted.
 */
final class BudgetViolations {

    private final List<Budget> budgets;
    private final int[] left;

    BudgetViolations(List<Budget> budgets) {
        this.budgets = budgets;
        left = budgets.stream().mapToInt(Budget::allowed).toArray();
    }

    /** Counts one victim after the other. */
    int of(Victim victim) {
        return (int) victim.pods().stream().filter(this::violates).count();
    }

    /** The budgets after the first one that is violated are not used up. */
    private boolean violates(Victim.Member pod) {
        for (int i = 0; i < left.length; i++) {
            if (budgets.get(i).pods().contains(pod.uid()) && --left[i] < 0) {
                return true;
            }
        }
        return false;
    }
}
