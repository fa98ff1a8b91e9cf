package dev.fakegpu.cel;

import java.util.Optional;

/** {@code a.or(b)} and {@code a.orValue(b)}: the right side is evaluated only where the left one is empty. Both are free. */
final class OptionalOrNode extends ExpressionNode {
    private final boolean unwraps;
    private final ExpressionNode left;
    private final ExpressionNode right;

    OptionalOrNode(long id, boolean unwraps, ExpressionNode left, ExpressionNode right) {
        super(id);
        this.unwraps = unwraps;
        this.left = left;
        this.right = right;
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object result = choose(evaluation);
        evaluation.costs().push(id(), result);
        return result;
    }

    private Object choose(Evaluation evaluation) {
        Object value = left.evaluate(evaluation);
        if (isFailure(value)) {
            return value;
        }
        if (!(value instanceof Optional<?> optional)) {
            return new Failure("no such overload");
        }
        if (optional.isEmpty()) {
            return right.evaluate(evaluation);
        }
        return unwraps ? optional.get() : optional;
    }
}
