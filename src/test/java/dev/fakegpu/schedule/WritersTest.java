package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.YieldPolicy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WritersTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final AtomicBoolean deciding = new AtomicBoolean(true);
    private final AtomicInteger looks = new AtomicInteger();

    @AutoClose
    private final Writers writers = new Writers(
            2,
            new YieldPolicy(
                    () -> {
                        looks.incrementAndGet();
                        return deciding.get();
                    },
                    clock));

    private final AtomicBoolean written = new AtomicBoolean();

    @Test
    void reportsWaitForDecisions() {
        // When
        writers.report(() -> written.set(true));
        await().until(() -> looks.get() >= 3);

        // Then
        assertThat(written).isFalse();
        deciding.set(false);
        await().untilTrue(written);
    }

    @Test
    void reportsDoNotWaitForEver() {
        // Given
        writers.report(() -> written.set(true));
        clock.advance(Duration.ofMillis(4999));
        int before = looks.get();
        await().until(() -> looks.get() >= before + 2);
        assertThat(written).isFalse();

        // When
        clock.advance(Duration.ofMillis(1));

        // Then
        await().untilTrue(written);
    }

    @Test
    void decisionsWaitForNobody() {
        writers.decision(() -> written.set(true));
        await().untilTrue(written);
        assertThat(looks).hasValue(0);
    }
}
