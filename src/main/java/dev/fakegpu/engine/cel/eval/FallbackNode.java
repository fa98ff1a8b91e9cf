package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;
import java.util.Optional;

/** {@code a.or(b)} and {@code a.orValue(b)}: the right side is evaluated only if the left one is empty. Both are free. */
abstract sealed class FallbackNode extends ExpressionNode permits OptionalOrNode, OptionalOrValueNode {
    private final ExpressionNode left;
    private final ExpressionNode right;

    FallbackNode(long id, ExpressionNode left, ExpressionNode right) {
        super(id);
        this.left = left;
        this.right = right;
    }

    /** The result if the left side has a value. */
    abstract Object result(Optional<?> left);

    @Override
    final Object evaluate(Evaluation evaluation) {
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
        return optional.isEmpty() ? right.evaluate(evaluation) : result(optional);
    }
}
