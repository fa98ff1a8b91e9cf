package dev.fakegpu.allocate;

/** Ends an attempt from deep inside the search. */
final class AllocationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;
    private final transient RequestError fault;

    private AllocationException(Outcome outcome, RequestError fault, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
        this.fault = fault;
    }

    /** Something is wrong that no other node can make right. */
    AllocationException(String message) {
        this(message, new RequestError.Other(message));
    }

    /** @param fault the same for those who explain */
    AllocationException(String message, RequestError fault) {
        this(new Outcome.Failed(message, Outcome.Scope.FATAL), fault, message);
    }

    static AllocationException aborted(String message) {
        return new AllocationException(new Outcome.Aborted(message), new RequestError.Other(message), message);
    }

    Outcome outcome() {
        return outcome;
    }

    RequestError fault() {
        return fault;
    }
}
