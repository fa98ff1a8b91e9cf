package dev.fakegpu.engine.cel.eval;

/** {@code a || b}: true as soon as a term is true. */
final class OrNode extends LogicalNode {

    OrNode(long id, ExpressionNode[] terms) {
        super(id, true, terms);
    }
}
