package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EventThrottleTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final List<String> passed = new CopyOnWriteArrayList<>();
    private final EventThrottle<String> throttleOfAnHour = new EventThrottle<>(passed::add, Duration.ofHours(1), clock);

    @Test
    void theFirstEventIsPassedOnAtOnceAndThoseThatFollowAreHeldBack() {
        // Given
        var throttle = new EventThrottle<String>(passed::add, Duration.ofHours(1), clock);

        // When
        throttle.accept("a");
        throttle.accept("a");
        throttle.accept("a");
        throttle.accept("b");

        // Then
        assertThat(passed).containsExactly("a", "b");

        // When
        clock.advance(Duration.ofHours(1));
        throttle.accept("b");

        // Then
        assertThat(passed).containsExactly("a", "b", "b");
    }

    @Test
    void anEventThatIsHeldBackIsPassedOnAtTheEndOfTheInterval() {
        // Given
        var throttle = new EventThrottle<String>(passed::add, Duration.ofMillis(50), clock);
        throttle.accept("a");

        // When
        throttle.accept("a");

        // Then
        Awaitility.await().untilAsserted(() -> assertThat(passed).containsExactly("a", "a"));
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        throttleOfAnHour.accept("a");
        return Duration.ofHours(1);
    }

    @Override
    public boolean isOver() {
        throttleOfAnHour.accept("a");
        return passed.size() > 1;
    }
}
