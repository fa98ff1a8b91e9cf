package dev.fakegpu.engine.cel.eval;

/** {@code a != b}. The result is true if the sides cannot be compared. */
final class NotEqualNode extends ComparisonNode {

    NotEqualNode(long id, ExpressionNode[] sides) {
        super(id, sides);
    }

    @Override
    Object result(Object equal) {
        return !Boolean.TRUE.equals(equal);
    }

    @Override
    long cost(Object[] sides) {
        return CallCosts.comparison(sides);
    }
}
