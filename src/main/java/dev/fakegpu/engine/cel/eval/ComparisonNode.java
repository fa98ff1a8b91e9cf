package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Equality;
import dev.fakegpu.engine.cel.value.Failure;

/** {@code ==} and {@code !=}, which evaluate both sides. */
abstract sealed class ComparisonNode extends ExpressionNode permits EqualNode, NotEqualNode {
    private final ExpressionNode[] sides;

    ComparisonNode(long id, ExpressionNode[] sides) {
        super(id);
        this.sides = sides;
    }

    /** @param equal a bool, or a {@link Failure} if the sides cannot be compared */
    abstract Object result(Object equal);

    abstract long cost(Object[] sides);

    @Override
    final Object evaluate(Evaluation evaluation) {
        Object left = sides[0].evaluate(evaluation);
        Object right = sides[1].evaluate(evaluation);
        Object result = compare(left, right);
        Object[] arguments = evaluation.costs().dropArguments(sides);
        if (arguments != null) {
            evaluation.costs().add(cost(arguments));
        }
        evaluation.costs().push(id(), result);
        return result;
    }

    private Object compare(Object left, Object right) {
        if (isFailure(left)) {
            return left;
        }
        return isFailure(right) ? right : result(Equality.compare(left, right));
    }
}
