package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.FailureLog;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiServerWaitTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final List<String> messages = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private final ApiServerWait wait = new ApiServerWait(new FailureLog(clock, messages::add), pause -> {
        pauses.add(pause);
        clock.advance(pause);
    });
    private int attempts;

    @Test
    void waitEndsAsSoonAsTheApiServerAnswers() {
        wait.until("the test", () -> failFor(0));

        assertThat(pauses).isEmpty();
        assertThat(messages).isEmpty();
    }

    @Test
    void waitHasNoLimitAndShortPauses() {
        // When
        wait.until("the test", () -> failFor(30));

        // Then
        assertThat(attempts).isEqualTo(31);
        assertThat(pauses)
                .hasSize(30)
                .startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(4))
                .allSatisfy(pause -> assertThat(pause).isLessThanOrEqualTo(Duration.ofSeconds(4)));
        assertThat(messages).as("within two minutes").hasSize(2);
        assertThat(messages.get(0)).isEqualTo("the test waits for the API server: connection refused");
    }

    @Test
    void otherErrorsAreNotRepeated() {
        assertThatThrownBy(() -> wait.until("the test", () -> {
                    throw new IllegalStateException("a bug");
                }))
                .hasMessage("a bug");
    }

    private void failFor(int failures) {
        if (attempts++ < failures) {
            throw new KubernetesClientException("connection refused");
        }
    }
}
