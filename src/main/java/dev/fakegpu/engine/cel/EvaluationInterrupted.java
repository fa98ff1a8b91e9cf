package dev.fakegpu.engine.cel;

/**
 * Ends an evaluation at the caller's request. It is not a result of the expression, so it is neither cached nor reported as the expression's
 * error.
 */
public final class EvaluationInterrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param reason the reason, such as "timed out after PT10S" */
    public EvaluationInterrupted(String reason) {
        super(reason, null, false, false);
    }
}
