package dev.fakegpu.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.watch.DecisionPriority;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StartDelayTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final AtomicBoolean urgent = new AtomicBoolean(true);
    private final StartDelay deferral = new StartDelay(new DecisionPriority(urgent::get, clock));

    @Test
    void nobodyWaitsForNothing() {
        urgent.set(false);
        assertThat(deferral.defers("a")).isFalse();
    }

    @Test
    void waitsUntilNothingIsUrgentAnyMore() {
        assertThat(deferral.defers("a")).isTrue();
        urgent.set(false);
        assertThat(deferral.defers("a")).isFalse();
    }

    @Test
    void waitsFiveSecondsAtMostEachForItself() {
        // Given
        deferral.defers("a");
        clock.advance(Duration.ofMillis(4999));
        deferral.defers("b");

        // When
        boolean before = deferral.defers("a");
        clock.advance(Duration.ofMillis(1));

        // Then
        assertThat(before).isTrue();
        assertThat(deferral.defers("a")).isFalse();
        assertThat(deferral.defers("b")).isTrue();
    }

    @Test
    void forgetsWhoIsGone() {
        // Given
        deferral.defers("a");
        clock.advance(Duration.ofSeconds(5));

        // When
        deferral.retain(Set.of());

        // Then
        assertThat(deferral.defers("a")).isTrue();
    }
}
