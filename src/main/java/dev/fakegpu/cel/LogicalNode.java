package dev.fakegpu.cel;

import org.jspecify.annotations.Nullable;

/** {@code &&} and {@code ||}: one side can decide although the other fails. */
final class LogicalNode extends ExpressionNode {
    private final boolean deciding;
    private final ExpressionNode[] terms;

    /** @param deciding the value of a term that settles the result: false for "and", true for "or" */
    LogicalNode(long id, boolean deciding, ExpressionNode[] terms) {
        super(id);
        this.deciding = deciding;
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
                if (bool == deciding) {
                    return deciding;
                }
            } else if (failure == null) {
                failure = value instanceof Failure failed ? failed : new Failure("no such overload");
            }
        }
        return failure == null ? !deciding : failure;
    }
}
