package dev.fakegpu.engine.gang;

/** Ends a search. */
final class GangException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient GangOutcome outcome;

    GangException(GangOutcome outcome) {
        super(null, null, false, false);
        this.outcome = outcome;
    }

    GangOutcome outcome() {
        return outcome;
    }
}
