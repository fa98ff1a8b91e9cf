package dev.fakegpu.operator.schedule.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeGenerationsTest {

    private final NodeGenerations generations = new NodeGenerations();

    @Test
    void theFirstAttemptConsidersAllNodes() {
        assertThat(generations.anyChangedSince(NodeGenerations.NONE)).isTrue();
        assertThat(generations.allChangedSince(NodeGenerations.NONE)).isTrue();
    }

    @Test
    void laterAttemptsConsiderOnlyNodesThatChangedSince() {
        // Given
        generations.changed("early");
        long attempt = generations.latest();

        // When
        generations.changed("b");
        generations.changed("a");
        generations.changed("b");

        // Then
        assertThat(generations.anyChangedSince(attempt)).isTrue();
        assertThat(generations.allChangedSince(attempt)).isFalse();
        assertThat(generations.changedSince(attempt)).containsExactlyInAnyOrder("a", "b");
        assertThat(generations.anyChangedSince(generations.latest())).isFalse();
    }

    @Test
    void aChangeEverywhereCoversAllBeforeIt() {
        // Given
        generations.changed("a");

        // When
        generations.changedEverywhere();

        // Then
        assertThat(generations.allChangedSince(1)).isTrue();
        assertThat(generations.allChangedSince(2)).isFalse();
        assertThat(generations.changedSince(0)).isEmpty();
    }
}
