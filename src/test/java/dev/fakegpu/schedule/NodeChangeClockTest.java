package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeChangeClockTest {

    private final NodeChangeClock changes = new NodeChangeClock();

    @Test
    void whoWasNeverTriedLooksEverywhere() {
        assertThat(changes.happenedSince(-1)).isTrue();
        assertThat(changes.anywhereSince(-1)).isTrue();
    }

    @Test
    void onlyNodesThatChangedSinceAreLookedAt() {
        // Given
        changes.on("early");
        long attempt = changes.now();

        // When
        changes.on("b");
        changes.on("a");
        changes.on("b");

        // Then
        assertThat(changes.happenedSince(attempt)).isTrue();
        assertThat(changes.anywhereSince(attempt)).isFalse();
        assertThat(changes.nodesSince(attempt)).containsExactlyInAnyOrder("a", "b");
        assertThat(changes.happenedSince(changes.now())).isFalse();
    }

    @Test
    void aChangeThatMattersEverywhereCoversAllBefore() {
        // Given
        changes.on("a");

        // When
        changes.anywhere();

        // Then
        assertThat(changes.anywhereSince(1)).isTrue();
        assertThat(changes.anywhereSince(2)).isFalse();
        assertThat(changes.nodesSince(0)).isEmpty();
    }
}
