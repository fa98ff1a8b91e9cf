package dev.fakegpu.allocate;

/** Ends an attempt from deep inside the search; becomes {@link Outcome.Failed}. */
final class AllocationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Outcome.Failed outcome;

    AllocationException(String message) {
        super(message, null, false, false);
        outcome = new Outcome.Failed(message, Outcome.Scope.FATAL);
    }

    Outcome.Failed outcome() {
        return outcome;
    }
}
