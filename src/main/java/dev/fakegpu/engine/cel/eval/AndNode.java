package dev.fakegpu.engine.cel.eval;

/** {@code a && b}: false as soon as a term is false. */
final class AndNode extends LogicalNode {

    AndNode(long id, ExpressionNode[] terms) {
        super(id, false, terms);
    }
}
