package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WritersTest {

    private final AtomicBoolean deciding = new AtomicBoolean(true);
    private final AtomicInteger looks = new AtomicInteger();

    @AutoClose
    private final Writers writers = new Writers(2, () -> {
        looks.incrementAndGet();
        return deciding.get();
    });

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
        writers.report(() -> written.set(true));
        await().untilTrue(written);
        assertThat(looks).hasValue(25);
    }

    @Test
    void decisionsWaitForNobody() {
        writers.decision(() -> written.set(true));
        await().untilTrue(written);
        assertThat(looks).hasValue(0);
    }
}
