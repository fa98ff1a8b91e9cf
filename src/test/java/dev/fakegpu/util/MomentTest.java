package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests times after very long durations, which users may set. */
class MomentTest {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void neverIsAfterAllOtherMoments() {
        var now = new Moment(Duration.ofSeconds(5));
        Moment never = now.plus(LONGEST);

        assertThat(never).isGreaterThan(now.plus(Duration.ofDays(365_000)));
        assertThat(never.plus(LONGEST)).isEqualTo(never);
        assertThat(now.until(never)).isPositive();
        assertThat(Moment.NEVER.until(never)).isPositive();
        assertThat(Moment.NEVER.plus(LONGEST)).isGreaterThan(Moment.NEVER);
    }

    @Test
    void noTimeIsLaterThanTheLast() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(Timestamps.later(now, Duration.ofSeconds(5))).isEqualTo("2026-01-01T00:00:05Z");
        assertThat(Timestamps.later(now, LONGEST)).isEqualTo(Instant.MAX);
        assertThat(Timestamps.later(Instant.MAX, Duration.ofSeconds(1))).isEqualTo(Instant.MAX);
    }
}
