package dev.fakegpu.engine.cel.eval;

/** A literal, or a value that the planner computed from literals. It is free. */
final class ConstantNode extends ExpressionNode {
    private final Object value;

    ConstantNode(long id, Object value) {
        super(id);
        this.value = value;
    }

    Object value() {
        return value;
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        evaluation.costs().push(id(), value);
        return value;
    }
}
