package dev.fakegpu.engine.cel.eval;

import java.util.Optional;

/** {@code a.orValue(b)}: the value of an optional, or another one. */
final class OptionalOrValueNode extends FallbackNode {

    OptionalOrValueNode(long id, ExpressionNode left, ExpressionNode right) {
        super(id, left, right);
    }

    @Override
    Object result(Optional<?> left) {
        return left.orElseThrow();
    }
}
