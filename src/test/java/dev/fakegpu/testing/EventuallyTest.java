package dev.fakegpu.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EventuallyTest {

    /** For example, an object does not exist yet, or the API server does not answer. */
    @Test
    void waitsWhileTheValueCannotBeRead() {
        Queue<List<String>> reads = new ArrayDeque<>(List.of(List.of(), List.of("a"), List.of("b")));

        Eventually.of("first", () -> reads.remove().get(0)).isEqualTo("b");

        assertThat(reads).isEmpty();
    }

    /** Assertions about what must hold all the time, in conditions. */
    @Test
    void doesNotWaitAfterAFailedAssertionInACondition() {
        assertThatThrownBy(() -> Awaitility.await().until(() -> {
                    throw new AssertionError("must hold");
                }))
                .hasMessage("must hold");
    }
}
