package dev.fakegpu.cel.eval;

import dev.fakegpu.cel.value.Failure;

/**
 * A step of a planned expression. Evaluation answers with a value or, where the step fails, with a {@link Failure}, and accounts
 * for its cost either way.
 */
public abstract class ExpressionNode {
    private final long id;

    ExpressionNode(long id) {
        this.id = id;
    }

    /** The id of the expression that the value stands for. */
    long id() {
        return id;
    }

    abstract Object evaluate(Evaluation evaluation);

    static boolean isFailure(Object value) {
        return value instanceof Failure;
    }
}
