package dev.fakegpu.cel;

import dev.cel.common.types.CelType;
import dev.fakegpu.dra.Device;

/**
 * An expression that compiles, ready to be evaluated. Immutable.
 *
 * @param type what the checker knows about the result
 */
record Expression(ExpressionNode root, int slots, References references, CelType type) {

    /** {@code CELSelectorExpressionMaxCost} of {@code resource.k8s.io/v1}, for one evaluation. */
    private static final long COST_LIMIT = 1_000_000;

    /** What came out, with what it cost. */
    record Outcome(Object value, long cost) {}

    /** The value, or a {@link Failure}; {@code device} has no {@linkplain AttributeValues#problemOf problem}. */
    Outcome evaluate(String driver, Device device) {
        var evaluation = new Evaluation(new DeviceVariable(driver, device), slots, COST_LIMIT);
        try {
            Object value = root.evaluate(evaluation);
            return new Outcome(value, evaluation.costs().cost());
        } catch (EvaluationAborted e) {
            return new Outcome(
                    new Failure(String.valueOf(e.getMessage())),
                    evaluation.costs().cost());
        }
    }
}
