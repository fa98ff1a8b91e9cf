package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ParallelShutdownTest {

    private final CountDownLatch stopped = new CountDownLatch(2);
    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void partsStopSideBySide() {
        // When: both wait for each other
        var remaining = ParallelShutdown.stop(
                Map.of("one", this::stopTogether, "other", this::stopTogether), Duration.ofMinutes(1));

        // Then
        assertThat(remaining).isEmpty();
        assertThat(stopped.getCount()).isZero();
    }

    @Test
    void partsThatHangDoNotDelayOthers() {
        // When
        var remaining = ParallelShutdown.stop(
                Map.of("a", this::hang, "b", this::hang, "one", this::stopTogether, "other", this::stopTogether),
                Duration.ofMillis(300));

        // Then
        assertThat(remaining).contains("a", "b");
        await(stopped);
        never.countDown();
    }

    @Test
    void partsThatFailCountAsStopped() {
        Runnable fails = () -> {
            throw new IllegalStateException("test");
        };

        assertThat(ParallelShutdown.stop(Map.of("fails", fails), Duration.ofMinutes(1)))
                .isEmpty();
    }

    private void stopTogether() {
        stopped.countDown();
        await(stopped);
    }

    private void hang() {
        await(never);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
