package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WatchGraceTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final WatchGrace grace = new WatchGrace(clock);

    @Test
    void anOperatorThatHasNotWatchedYetIsNotReady() {
        assertThat(grace.isReady(false)).isFalse();
        assertThat(grace.isReady(true)).isTrue();
    }

    @Test
    void aWatchThatIsOpenedAgainWithinTheGraceIsNoInterruption() {
        grace.isReady(true);
        clock.advance(WatchGrace.GRACE.minusSeconds(1));

        assertThat(grace.isReady(false)).isTrue();
        assertThat(grace.isReady(true)).isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(grace.isReady(false)).isTrue();
    }

    @Test
    void longerInterruptionsMakeItUnready() {
        grace.isReady(true);
        clock.advance(WatchGrace.GRACE);

        assertThat(grace.isReady(false)).isFalse();
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        grace.isReady(true);
        return WatchGrace.GRACE;
    }

    @Override
    public boolean isOver() {
        return !grace.isReady(false);
    }
}
