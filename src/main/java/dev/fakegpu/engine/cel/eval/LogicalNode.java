package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;
import org.jspecify.annotations.Nullable;

/** {@code &&} and {@code ||}: a term can decide the result even if another one fails. */
abstract sealed class LogicalNode extends ExpressionNode permits AndNode, OrNode {
    private final boolean decisive;
    private final ExpressionNode[] terms;

    /** @param decisive the value of a term that decides the result, regardless of the others */
    LogicalNode(long id, boolean decisive, ExpressionNode[] terms) {
        super(id);
        this.decisive = decisive;
        this.terms = terms;
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object result = decide(evaluation);
        for (ExpressionNode term : terms) {
            evaluation.costs().drop(term.id());
        }
        evaluation.costs().push(id(), result);
        return result;
    }

    private Object decide(Evaluation evaluation) {
        @Nullable Failure failure = null;
        for (ExpressionNode term : terms) {
            Object value = term.evaluate(evaluation);
            if (value instanceof Boolean bool) {
                if (bool == decisive) {
                    return decisive;
                }
            } else if (failure == null) {
                failure = value instanceof Failure failed ? failed : new Failure("no such overload");
            }
        }
        return failure == null ? !decisive : failure;
    }
}
