package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoredTimesTest implements ClockJumpTests {

    private static final Instant STORED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:04Z");
    private final StoredTimes times = new StoredTimes(clock, clock);

    @Test
    void aStoredTimeHasTheSameDistanceAsOnTheWallClock() {
        assertThat(clock.since(times.momentOf("a", STORED))).isEqualTo(Duration.ofSeconds(4));
        assertThat(clock.since(times.momentOf("b", Instant.EPOCH))).isGreaterThan(Duration.ofDays(365));
    }

    /** This happens after a restart with a clock that was set back. */
    @Test
    void aFutureTimeCountsAsNow() {
        assertThat(times.momentOf("a", STORED.plusSeconds(3600))).isEqualTo(clock.now());
        assertThat(times.momentOf("b", Instant.MAX)).isEqualTo(clock.now());
    }

    @Test
    void anotherTimeOfTheSameObjectIsComparedAgain() {
        times.momentOf("a", STORED);
        clock.jump(Duration.ofHours(-1));

        assertThat(times.momentOf("a", STORED.minusSeconds(3600)))
                .isEqualTo(clock.now().minus(Duration.ofSeconds(4)));
    }

    @Test
    void aForgottenTimeIsComparedAgain() {
        times.momentOf("a", STORED);
        times.momentOf("b", STORED);
        times.momentOf("c", STORED);
        clock.jump(Duration.ofHours(-1));

        times.forget("a");
        times.retain(Set.of("a", "b"));

        assertThat(times.momentOf("a", STORED)).isEqualTo(clock.now());
        assertThat(times.momentOf("b", STORED)).isEqualTo(clock.now().minus(Duration.ofSeconds(4)));
        assertThat(times.momentOf("c", STORED)).isEqualTo(clock.now());
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        return clock.until(times.momentOf("begin", STORED).plus(WAIT));
    }

    @Override
    public boolean isOver() {
        return !times.momentOf("begin", STORED).plus(WAIT).isAfter(clock.now());
    }
}
