package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Allocation;
import java.util.List;

/** The result of allocating claims on a node. */
public sealed interface Outcome {

    /** Every claim got its devices: one allocation per claim, in their order. */
    record Allocated(List<Allocation> allocations) implements Outcome {
        public Allocated {
            allocations = List.copyOf(allocations);
        }
    }

    /** The node cannot serve all the claims; another one might. */
    record None() implements Outcome {}

    /** An error in the claims, classes or slices. */
    record Failed(String message, Scope scope) implements Outcome {}

    /**
     * A {@link SearchLimit} was reached before there was an answer.
     *
     * @param message why, and what was being tried
     */
    record Aborted(String message) implements Outcome {}

    /** Whether there is an error that concerns all nodes. */
    default boolean isFatal() {
        return this instanceof Failed failed && failed.scope() == Scope.FATAL;
    }

    /** What a failure applies to. */
    enum Scope {
        /** This node only. Other nodes can still be tried. */
        NODE,
        /** All nodes. Other nodes need not be tried. */
        FATAL
    }
}
