package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;

/** A planned expression, ready to be evaluated. Immutable, so it is thread-safe. */
public final class Program {
    private final ExpressionNode root;
    private final int localCount;

    /** @param localCount the total number of variables of the expression's comprehensions */
    Program(ExpressionNode root, int localCount) {
        this.root = root;
        this.localCount = localCount;
    }

    /**
     * The result of one evaluation.
     *
     * @param value the value, or a {@link Failure}
     * @param cost in CEL's cost units
     */
    public record Outcome(Object value, long cost) {}

    /**
     * Evaluates the expression.
     *
     * @param variable the value of the one variable that expressions have
     * @param costLimit an evaluation that costs more than this fails
     * @param interruptCheck called every few thousand steps or cost units; what it throws ends the evaluation
     */
    public Outcome evaluate(Object variable, long costLimit, Runnable interruptCheck) {
        var evaluation = new Evaluation(variable, localCount, new CostTracker(costLimit, interruptCheck));
        Steps.begin();
        try {
            Object value = root.evaluate(evaluation);
            return new Outcome(value, evaluation.costs().cost());
        } catch (EvaluationAborted | Failure e) {
            return new Outcome(
                    new Failure(String.valueOf(e.getMessage())),
                    evaluation.costs().cost());
        }
    }
}
