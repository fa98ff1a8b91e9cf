package dev.fakegpu.engine.cel.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the stack of cel-go's {@code interpreter/runtimecost.go}. */
class CostTrackerTest {

    private static final long NO_LIMIT = Long.MAX_VALUE;

    private static ExpressionNode[] nodes(long... ids) {
        var nodes = new ExpressionNode[ids.length];
        for (int i = 0; i < ids.length; i++) {
            nodes[i] = new ConstantNode(ids[i], "literal");
        }
        return nodes;
    }

    @Test
    void argumentsAreTakenOffTheStack() {
        var tracker = new CostTracker(NO_LIMIT, () -> {});
        tracker.push(1, "a");
        tracker.push(2, "b");

        assertThat(tracker.dropArguments(nodes(1, 2))).containsExactly("a", "b");
        assertThat(tracker.dropArguments(nodes(1))).isNull();
    }

    @Test
    void theLatestValueOfAnExpressionCounts() {
        var tracker = new CostTracker(NO_LIMIT, () -> {});
        tracker.push(1, "first round");
        tracker.push(1, "second round");

        assertThat(tracker.dropArguments(nodes(1))).containsExactly("second round");
        assertThat(tracker.dropArguments(nodes(1))).containsExactly("first round");
    }

    @Test
    void takingAnArgumentForgetsWhatCameAfterIt() {
        var tracker = new CostTracker(NO_LIMIT, () -> {});
        tracker.push(2, "b");
        tracker.push(1, "a");

        // Argument 2 is removed first, with everything above it.
        assertThat(tracker.dropArguments(nodes(1, 2))).isNull();
    }

    @Test
    void droppingAnExpressionForgetsWhatCameAfterIt() {
        var tracker = new CostTracker(NO_LIMIT, () -> {});
        tracker.push(1, "a");
        tracker.push(2, "b");
        tracker.push(3, "c");

        tracker.drop(2);
        tracker.drop(7);

        assertThat(tracker.dropArguments(nodes(3))).isNull();
        assertThat(tracker.dropArguments(nodes(1))).containsExactly("a");
    }

    @Test
    void keepsAsManyValuesAsAnExpressionHas() {
        var tracker = new CostTracker(NO_LIMIT, () -> {});
        for (int id = 0; id < 100; id++) {
            tracker.push(id, "value " + id);
        }

        assertThat(tracker.dropArguments(nodes(0, 99))).containsExactly("value 0", "value 99");
    }

    @Test
    void theLimitIsCheckedWhenAValueIsRecorded() {
        var tracker = new CostTracker(10, () -> {});
        tracker.add(10);
        assertThatCode(() -> tracker.push(1, "at the limit")).doesNotThrowAnyException();

        tracker.add(1);
        assertThatExceptionOfType(EvaluationAborted.class)
                .isThrownBy(() -> tracker.push(2, "over the limit"))
                .withMessage("operation cancelled: actual cost limit exceeded");
        assertThat(tracker.cost()).isEqualTo(11);
    }

    /** Costs are unsigned upstream. */
    @Test
    void aNegativeCostIsOverTheLimit() {
        var tracker = new CostTracker(10, () -> {});
        tracker.add(-1);

        assertThatExceptionOfType(EvaluationAborted.class).isThrownBy(() -> tracker.push(1, "a"));
    }

    @Test
    void interruptsAreCheckedByCostAndByNumberOfValues() {
        var checks = new AtomicInteger();
        var tracker = new CostTracker(NO_LIMIT, checks::incrementAndGet);

        for (int i = 1; i < CostTracker.INTERRUPT_CHECK_INTERVAL; i++) {
            tracker.push(1, "free");
            tracker.drop(1);
        }
        assertThat(checks).hasValue(0);
        tracker.push(1, "free");
        assertThat(checks).hasValue(1);

        tracker.add(CostTracker.INTERRUPT_CHECK_INTERVAL);
        tracker.push(1, "costly");
        assertThat(checks).hasValue(2);
    }
}
