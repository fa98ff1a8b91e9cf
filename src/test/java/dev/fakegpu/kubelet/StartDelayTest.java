package dev.fakegpu.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.YieldPolicy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StartDelayTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final AtomicBoolean urgent = new AtomicBoolean(true);
    private final StartDelay startDelay = new StartDelay(new YieldPolicy(urgent::get, clock));

    @Test
    void noDelayWithoutUrgentWork() {
        urgent.set(false);
        assertThat(startDelay.delays("a")).isFalse();
    }

    @Test
    void delaysWhileWorkIsUrgent() {
        assertThat(startDelay.delays("a")).isTrue();
        urgent.set(false);
        assertThat(startDelay.delays("a")).isFalse();
    }

    @Test
    void delaysEachPodByAtMostFiveSeconds() {
        // Given
        startDelay.delays("a");
        clock.advance(Duration.ofMillis(4999));
        startDelay.delays("b");

        // When
        boolean before = startDelay.delays("a");
        clock.advance(Duration.ofMillis(1));

        // Then
        assertThat(before).isTrue();
        assertThat(startDelay.delays("a")).isFalse();
        assertThat(startDelay.delays("b")).isTrue();
    }

    @Test
    void forgetsOtherPods() {
        // Given
        startDelay.delays("a");
        clock.advance(Duration.ofSeconds(5));

        // When
        startDelay.retain(Set.of());

        // Then
        assertThat(startDelay.delays("a")).isTrue();
    }
}
