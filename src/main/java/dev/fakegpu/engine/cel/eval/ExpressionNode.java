package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;

/**
 * A node of a planned expression. Evaluating it returns a value or, if the node fails, a {@link Failure}, and adds its cost either
 * way.
 */
public abstract class ExpressionNode {
    private final long id;

    ExpressionNode(long id) {
        this.id = id;
    }

    /** The id of the expression that this node evaluates. */
    long id() {
        return id;
    }

    abstract Object evaluate(Evaluation evaluation);

    static boolean isFailure(Object value) {
        return value instanceof Failure;
    }
}
