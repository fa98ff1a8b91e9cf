package dev.fakegpu.cel;

/** {@code ==} and {@code !=}. Values that cannot be compared fail the former and satisfy the latter. */
final class EqualityNode extends ExpressionNode {
    private final boolean negated;
    private final ExpressionNode[] sides;

    EqualityNode(long id, boolean negated, ExpressionNode[] sides) {
        super(id);
        this.negated = negated;
        this.sides = sides;
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object left = sides[0].evaluate(evaluation);
        Object right = sides[1].evaluate(evaluation);
        Object result = compare(left, right);
        Object[] arguments = evaluation.costs().dropArguments(sides);
        if (arguments != null) {
            evaluation.costs().add(negated ? CallCosts.comparison(arguments) : CallCosts.equality(arguments));
        }
        evaluation.costs().push(id(), result);
        return result;
    }

    private Object compare(Object left, Object right) {
        if (isFailure(left)) {
            return left;
        }
        if (isFailure(right)) {
            return right;
        }
        Object equal = Equality.compare(left, right);
        return negated ? !Boolean.TRUE.equals(equal) : equal;
    }
}
