package dev.fakegpu.engine.cel.eval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Calls every function and operator with its worst arguments, as often as an evaluation of 10,000 cost units can call it. This takes at
 * most 10 ms of processor time, and no evaluation takes longer in relation to its cost. {@code -Dtimes.seed} repeats a run.
 */
class FunctionTimesTest {

    private static final Logger LOG = Logger.getLogger(FunctionTimesTest.class);
    private static final long SEED = Long.getLong("times.seed", 1);
    private static final int SOME = 30;
    private static final int CALLS_OF_OVERLOAD = Integer.getInteger("times.calls", 3);

    private final ExtremeCalls calls = new ExtremeCalls(SEED);

    @Test
    void someCallsTakeNoLongerThanTheyCost() {
        List<ExtremeCalls.Overload> overloads = new ArrayList<>(calls.overloads());
        Collections.shuffle(overloads, new Random(SEED));
        try (var times = new EvaluationTimes()) {
            overloads.subList(0, SOME).forEach(overload -> measure(overload, 1, times));
            report(times);
        }
    }

    @Test
    @Tag("long")
    void allCallsTakeNoLongerThanTheyCost() {
        List<ExtremeCalls.Overload> overloads = calls.overloads();
        try (var times = new EvaluationTimes()) {
            overloads.forEach(overload -> measure(overload, CALLS_OF_OVERLOAD, times));
            assertThat(overloads).hasSizeGreaterThan(250);
            assertThat(times.number()).isGreaterThan(150 * CALLS_OF_OVERLOAD);
            report(times);
        }
    }

    private void measure(ExtremeCalls.Overload overload, int most, EvaluationTimes times) {
        for (ExtremeCalls.Call call : calls.calls(overload, most)) {
            calls.repeated(call)
                    .ifPresent(program ->
                            times.add(call.toString(), () -> program.evaluate("", EvaluationTimes.CHEAP, () -> {})));
        }
    }

    private static void report(EvaluationTimes times) {
        LOG.infof("%d calls; the slowest:%s", times.number(), times.worst());
        assertThat(times.slow()).isEmpty();
    }
}
