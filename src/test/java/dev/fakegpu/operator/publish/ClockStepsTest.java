package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.TaskExecutors;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockStepsTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final ClockSteps steps = new ClockSteps(clock, clock, () -> {}, TaskExecutors.THREADS);

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.2S", "PT-1S", "PT-1H", "PT1H"})
    void aStepIsNoticedOnce(Duration jump) {
        assertThat(steps.step()).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        clock.jump(jump);

        assertThat(steps.step()).contains(jump);
        assertThat(steps.step()).isEmpty();
    }

    @Test
    void smallCorrectionsAreNotSteps() {
        steps.step();
        clock.advance(Duration.ofHours(5));
        assertThat(steps.step()).isEmpty();

        clock.jump(Duration.ofMillis(-1));
        assertThat(steps.step()).isEmpty();
    }

    /** This happens on a busy machine. A clock step during the pause is noticed later. */
    @Test
    void pauseOfTheThreadIsNotAStep() {
        steps.step();
        clock.jump(Duration.ofSeconds(-1));
        clock.advanceAtEachReading(Duration.ofMillis(200));
        assertThat(steps.step()).isEmpty();

        clock.advanceAtEachReading(Duration.ZERO);
        assertThat(steps.step()).contains(Duration.ofSeconds(-1));
    }
}
