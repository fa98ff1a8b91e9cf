package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.library.Callable;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;

/** The call of a function. */
final class CallNode extends ExpressionNode {
    private final Callable function;
    private final CallCost cost;
    private final ExpressionNode[] arguments;

    CallNode(long id, Callable function, CallCost cost, ExpressionNode[] arguments) {
        super(id);
        this.function = function;
        this.cost = cost;
        this.arguments = arguments;
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object result = call(evaluation);
        Object[] found = evaluation.costs().dropArguments(arguments);
        if (found != null) {
            evaluation.costs().add(cost.of(found, result));
        }
        if (Steps.areExceeded()) {
            throw EvaluationAborted.costLimit();
        }
        evaluation.costs().push(id(), result);
        return result;
    }

    private Object call(Evaluation evaluation) {
        var values = new Object[arguments.length];
        Object failure = null;
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments[i].evaluate(evaluation);
            if (failure == null && isFailure(values[i]) && function.isStrict()) {
                if (!function.evaluatesAllArguments()) {
                    return values[i];
                }
                failure = values[i];
            }
        }
        return failure == null ? called(values) : failure;
    }

    /** Counts the steps of reading texts, since costs are added only after a call, and not for every text that it reads. */
    private Object called(Object[] values) {
        try {
            for (Object value : values) {
                if (value instanceof String text) {
                    Steps.text(text.length());
                }
            }
            return function.call(values);
        } catch (Failure e) {
            return e;
        }
    }
}
