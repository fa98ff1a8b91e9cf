package dev.fakegpu.engine.cel.eval;

/** Ends a whole evaluation at once: unlike a {@code Failure}, no operator absorbs it. */
public final class EvaluationAborted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EvaluationAborted(String message) {
        super(message, null, false, false);
    }

    static EvaluationAborted costLimit() {
        return new EvaluationAborted("operation cancelled: actual cost limit exceeded");
    }
}
