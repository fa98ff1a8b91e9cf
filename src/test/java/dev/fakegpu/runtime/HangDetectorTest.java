package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HangDetectorTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final HangDetector detector = new HangDetector(clock);

    @Test
    void longStepIsAHang() {
        assertThat(detector.hangs(1L)).isFalse();
        clock.advance(HangDetector.LONGEST_STEP);
        assertThat(detector.hangs(1L)).isFalse();
        clock.advance(Duration.ofSeconds(1));

        assertThat(detector.hangs(1L)).isTrue();
        assertThat(detector.hangs(2L)).as("it goes on").isFalse();
    }

    @Test
    void aThreadThatMovesOnDoesNotHang() {
        for (long step = 0; step < 5; step++) {
            assertThat(detector.hangs(step)).isFalse();
            clock.advance(HangDetector.LONGEST_STEP.plusSeconds(1));
        }
    }

    @Test
    void aThreadThatWaitsDoesNotHang() {
        assertThat(detector.hangs(1L)).isFalse();
        assertThat(detector.hangs(null)).isFalse();
        clock.advance(HangDetector.LONGEST_STEP.plusSeconds(1));

        assertThat(detector.hangs(null)).isFalse();
        assertThat(detector.hangs(1L))
                .as("the time counts from the step's begin")
                .isFalse();
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        detector.hangs(1L);
        return HangDetector.LONGEST_STEP;
    }

    @Override
    public boolean isOver() {
        return detector.hangs(1L);
    }
}
