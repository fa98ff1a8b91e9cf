package dev.fakegpu.engine.allocate;

import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.InterruptCheck;

/** Asks the limit of one attempt between the steps of its search. Not thread-safe. */
final class LimitCheck implements InterruptCheck {

    /** Looking at a device often takes less time than reading the clock. */
    static final int DEVICES_PER_CHECK = 64;

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
     * To be called for each device, slice or the like in a loop that is not a step of the search.
     *
     * @throws EvaluationInterrupted if the limit is reached
     */
    void visit() {
        if ((++visited & DEVICES_PER_CHECK - 1) == 0) {
            check();
        }
    }
}
