package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For tests of something that waits: how long does not depend on what happens to the wall clock meanwhile. */
public interface ClockJumpTests {

    /** Starts to wait now; returns for how long. */
    Duration begin();

    /** Whether the wait is over now; may be asked again and again. */
    boolean isOver();

    /** The time of what is tested. */
    MutableClock clock();

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.001S", "PT-1S", "PT-1H", "PT1H"})
    default void aJumpOfTheClockMakesNoWaitLongerOrShorter(Duration jump) {
        // Given
        Duration wait = begin();
        Duration half = wait.dividedBy(2);

        // When
        clock().advance(half);
        clock().jump(jump);
        boolean afterHalf = isOver();
        clock().advance(wait.minus(half).minusMillis(1));
        boolean before = isOver();
        clock().advance(Duration.ofMillis(2));

        // Then
        assertThat(afterHalf).isFalse();
        assertThat(before).isFalse();
        assertThat(isOver()).isTrue();
    }
}
