package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of code that waits: jumps of the wall clock must not change how long it waits. */
public interface ClockJumpTests {

    /** Starts to wait, and returns for how long. */
    Duration begin();

    /** Whether the wait is over; may be called repeatedly. */
    boolean isOver();

    /** The clock of the tested code. */
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
