package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptsTest {

    private final Attempts attempts = new Attempts();

    @Test
    void firstAttemptIsWorthwhile() {
        assertThat(attempts.isWorthwhile("uid", "1")).isTrue();
    }

    @Test
    void failureIsNotRepeatedWhileNothingChanged() {
        // When
        attempts.failed("uid", "1", attempts.now());

        // Then
        assertThat(attempts.isWorthwhile("uid", "1")).isFalse();
        assertThat(attempts.isWorthwhile("another", "1")).isTrue();
    }

    @Test
    void changedObjectIsTriedAgain() {
        // When
        attempts.failed("uid", "1", attempts.now());

        // Then
        assertThat(attempts.isWorthwhile("uid", "2")).isTrue();
    }

    @Test
    void everyoneIsTriedAgainAfterAHelpfulChange() {
        // Given
        attempts.failed("uid", "1", attempts.now());

        // When
        attempts.helpfulChange();

        // Then
        assertThat(attempts.isWorthwhile("uid", "1")).isTrue();
    }

    @Test
    void changeDuringAnAttemptIsNotMissed() {
        // Given
        long startedAt = attempts.now();
        attempts.helpfulChange();

        // When
        attempts.failed("uid", "1", startedAt);

        // Then
        assertThat(attempts.isWorthwhile("uid", "1")).isTrue();
    }

    @Test
    void whatNoLongerWaitsIsForgotten() {
        // Given
        attempts.failed("gone", "1", attempts.now());
        attempts.failed("kept", "1", attempts.now());

        // When
        attempts.retain(Set.of("kept"));

        // Then
        assertThat(attempts.isWorthwhile("gone", "1")).isTrue();
        assertThat(attempts.isWorthwhile("kept", "1")).isFalse();
    }
}
