package dev.fakegpu.engine.cel.eval;

import java.util.Optional;

/** {@code a.or(b)}: the first of two optionals that has a value. */
final class OptionalOrNode extends FallbackNode {

    OptionalOrNode(long id, ExpressionNode left, ExpressionNode right) {
        super(id, left, right);
    }

    @Override
    Object result(Optional<?> left) {
        return left;
    }
}
