package dev.fakegpu.engine.allocate;

/** Ends an allocation from deep inside the search. */
final class AllocationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;
    private final transient RequestError error;

    private AllocationException(Outcome outcome, RequestError error, String message) {
        super(message, null, false, false);
        this.outcome = outcome;
        this.error = error;
    }

    /** An error that would occur on every other node, too. */
    AllocationException(String message) {
        this(message, new RequestError.Other(message));
    }

    /** @param error the error as a value, for explanations */
    AllocationException(String message, RequestError error) {
        this(new Outcome.Failed(message, Outcome.Scope.FATAL), error, message);
    }

    static AllocationException aborted(String message) {
        return new AllocationException(new Outcome.Aborted(message), new RequestError.Other(message), message);
    }

    Outcome outcome() {
        return outcome;
    }

    RequestError error() {
        return error;
    }
}
