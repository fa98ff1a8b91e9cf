package dev.fakegpu.allocate;

import dev.fakegpu.dra.Allocation;
import java.util.List;

/** What came of an attempt to allocate claims on a node. */
public sealed interface Outcome {

    /** Every claim got its devices: one allocation per claim, in their order. */
    record Allocated(List<Allocation> allocations) implements Outcome {
        public Allocated {
            allocations = List.copyOf(allocations);
        }
    }

    /** The node cannot serve all the claims; another one might. */
    record None() implements Outcome {}

    /** Something is wrong with what the decision rests on. */
    record Failed(String message, Scope scope) implements Outcome {}

    /**
     * A {@link SearchLimit} was reached before there was an answer.
     *
     * @param message why, and what was being tried
     */
    record Aborted(String message) implements Outcome {}

    /** How far a failure reaches. */
    enum Scope {
        /** This node only; others can still be tried. */
        NODE,
        /** The attempt as a whole: other nodes need not be tried. */
        FATAL
    }
}
