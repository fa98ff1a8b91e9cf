package dev.fakegpu.engine.cel.eval;

/** {@code a == b}. Fails if the sides cannot be compared. */
final class EqualNode extends ComparisonNode {

    EqualNode(long id, ExpressionNode[] sides) {
        super(id, sides);
    }

    @Override
    Object result(Object equal) {
        return equal;
    }

    @Override
    long cost(Object[] sides) {
        return CallCosts.equality(sides);
    }
}
