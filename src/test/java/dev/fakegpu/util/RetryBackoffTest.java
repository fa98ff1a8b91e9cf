package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RetryBackoffTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final RetryBackoff backoff = new RetryBackoff(clock);

    @Test
    void aPodThatNeverFailedIsDue() {
        assertThat(backoff.isDue("a")).isTrue();
    }

    @Test
    void delayDoublesWithEachFailureUpToAMinute() {
        // When
        var delays = Stream.generate(() -> backoff.failed("a")).limit(9).map(Duration::toSeconds);

        // Then
        assertThat(delays).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    @Test
    void isDueWhenTheDelayIsOverAndNotBefore() {
        // Given
        backoff.failed("a");
        backoff.failed("a");

        // When
        clock.advance(Duration.ofMillis(1999));
        boolean before = backoff.isDue("a");
        clock.advance(Duration.ofMillis(1));

        // Then
        assertThat(before).isFalse();
        assertThat(backoff.isDue("a")).isTrue();
    }

    @Test
    void podsBackOffIndependently() {
        // When
        backoff.failed("a");

        // Then
        assertThat(backoff.isDue("b")).isTrue();
    }

    @Test
    void retryAllNowMakesPodsDueButDoesNotResetTheirDelays() {
        // Given
        backoff.failed("a");
        backoff.failed("a");

        // When
        backoff.retryAllNow();

        // Then
        assertThat(backoff.isDue("a")).isTrue();
        assertThat(backoff.failed("a")).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void forgetsOtherPods() {
        // Given
        backoff.failed("gone");
        backoff.failed("kept");

        // When
        backoff.retain(Set.of("kept"));

        // Then
        assertThat(backoff.isDue("gone")).isTrue();
        assertThat(backoff.failed("gone")).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.failed("kept")).isEqualTo(Duration.ofSeconds(2));
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        backoff.failed("a");
        return backoff.failed("a");
    }

    @Override
    public boolean isOver() {
        return backoff.isDue("a");
    }
}
