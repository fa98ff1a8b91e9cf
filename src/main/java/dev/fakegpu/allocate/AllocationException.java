package dev.fakegpu.allocate;

/** Ends an attempt from deep inside the search. */
final class AllocationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Outcome outcome;

    private AllocationException(Outcome outcome, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
    }

    /** Something is wrong that no other node can make right. */
    AllocationException(String message) {
        this(new Outcome.Failed(message, Outcome.Scope.FATAL), message);
    }

    static AllocationException aborted(String message) {
        return new AllocationException(new Outcome.Aborted(message), message);
    }

    Outcome outcome() {
        return outcome;
    }
}
