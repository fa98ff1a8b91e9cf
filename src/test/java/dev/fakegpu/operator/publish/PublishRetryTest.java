package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PublishRetryTest {

    @Test
    void retriesWithoutEndAndAtMostEveryTwoMinutes() {
        // Given
        var retry = new GenericRetry();
        retry.initFrom(FakeGpuReconciler.class.getAnnotation(GradualRetry.class));
        var execution = retry.initExecution();

        // When
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            delays.add(Duration.ofMillis(execution.nextDelay().orElseThrow()));
        }

        // Then
        assertThat(delays.subList(0, 9).stream().map(Duration::toSeconds))
                .containsExactly(2L, 2L, 4L, 8L, 16L, 32L, 64L, 120L, 120L);
        assertThat(delays.get(999)).isEqualTo(Duration.ofMinutes(2));
        assertThat(execution.isLastAttempt()).isFalse();
    }
}
