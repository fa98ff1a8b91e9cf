package dev.fakegpu.engine.preemption;

import java.util.List;

/**
 * Counts how many pods of each victim would violate a budget. Upstream: {@code FilterVictimsWithPDBViolation} in
 * {@code pkg/scheduler/framework/preemption/util.go}. Budgets are used up in the order of the victims, and pods that a budget does not
 * allow are counted.
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

    /** Budgets after the first violated one are not used up. */
    private boolean violates(Victim.Member pod) {
        for (int i = 0; i < left.length; i++) {
            if (budgets.get(i).pods().contains(pod.uid()) && --left[i] < 0) {
                return true;
            }
        }
        return false;
    }
}
