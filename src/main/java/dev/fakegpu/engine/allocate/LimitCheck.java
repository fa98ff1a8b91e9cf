package dev.fakegpu.engine.allocate;

import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.InterruptCheck;

/** Checks the limit of one attempt between the steps of its search. Not thread-safe. */
final class LimitCheck implements InterruptCheck {

    /** The number of objects between two checks: reading the clock often takes longer than the work on a device. */
    private static final int OBJECTS_PER_CHECK = 64;

    private final SearchLimit limit;
    private int visited;

    LimitCheck(SearchLimit limit) {
        this.limit = limit;
    }

    @Override
    public void check() {
        String interrupted = limit.interrupted();
        if (interrupted != null) {
            throw new EvaluationInterrupted(interrupted);
        }
    }

    /**
     * Call this for each device, slice or similar object in a loop that is not a step of the search.
     *
     * @throws EvaluationInterrupted if the limit is reached
     */
    void visit() {
        visit(1);
    }

    /** Does the same for several objects at once. */
    void visit(int objects) {
        visited += objects;
        if (visited >= OBJECTS_PER_CHECK) {
            visited = 0;
            check();
        }
    }
}
