package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Allocation;
import java.util.List;

/** The result of allocating claims on a node. */
public sealed interface Outcome {

    /** Every claim gets its devices. There is one allocation per claim, in the order of the claims. */
    record Allocated(List<Allocation> allocations) implements Outcome {
        public Allocated {
            allocations = List.copyOf(allocations);
        }
    }

    /** The node cannot satisfy all claims; another node might. */
    record None() implements Outcome {}

    /** An error in the claims, classes or slices. */
    record Failed(String message, Scope scope) implements Outcome {}

    /**
     * A {@link SearchLimit} was reached before there was an answer.
     *
     * @param message the reason, and what was being tried
     */
    record Aborted(String message) implements Outcome {}

    /** Whether the outcome is an error that concerns all nodes. */
    default boolean isFatal() {
        return this instanceof Failed failed && failed.scope() == Scope.FATAL;
    }

    /** What a failure applies to. */
    enum Scope {
        /** Only this node. The caller can still try other nodes. */
        NODE,
        /** All nodes. The caller need not try other nodes. */
        FATAL
    }
}
