package dev.fakegpu.operator.schedule.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.YieldPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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
                    namespace -> {
                        looks.incrementAndGet();
                        return deciding.get() && namespace.equals("busy");
                    },
                    clock),
            TaskExecutors.THREADS);

    private final AtomicBoolean written = new AtomicBoolean();

    @Test
    void reportsWaitForDecisions() {
        // When
        writers.report("a", "busy", () -> written.set(true));
        await().until(() -> looks.get() >= 3);

        // Then
        assertThat(written).isFalse();
        deciding.set(false);
        await().untilTrue(written);
    }

    /** Otherwise one namespace could delay the reports for all others. */
    @Test
    void reportsOvertakeThoseForABusyNamespace() {
        // Given
        var ofBusy = new AtomicBoolean();
        writers.report("a", "busy", () -> ofBusy.set(true));

        // When
        writers.report("b", "quiet", () -> written.set(true));

        // Then
        await().untilTrue(written);
        assertThat(ofBusy).isFalse();
    }

    @Test
    void reportsAreDelayedUpToALimit() {
        // Given
        writers.report("a", "busy", () -> written.set(true));
        clock.advance(Duration.ofMillis(4999));
        int before = looks.get();
        await().until(() -> looks.get() >= before + 2);
        assertThat(written).isFalse();

        // When
        clock.advance(Duration.ofMillis(1));

        // Then
        await().untilTrue(written);
    }

    /** The queue therefore does not grow with the number of changes. */
    @Test
    void aNewerReportTakesThePlaceOfAnOlderOne() {
        // Given
        List<String> reports = new CopyOnWriteArrayList<>();
        IntStream.rangeClosed(1, 1000).forEach(number -> {
            writers.report("a", "busy", () -> reports.add("a" + number));
            writers.report("b", "busy", () -> reports.add("b" + number));
        });

        // When
        deciding.set(false);

        // Then
        await().until(() -> reports.size() >= 2);
        assertThat(reports).containsExactlyInAnyOrder("a1000", "b1000");
    }

    @Test
    void aReportThatFailsDoesNotStopTheNextOnes() {
        // Given
        deciding.set(false);
        IntStream.range(0, 4)
                .forEach(number -> writers.report("failing-" + number, "busy", () -> {
                    throw new IllegalStateException("expected by the test");
                }));

        // When
        writers.report("a", "busy", () -> written.set(true));

        // Then
        await().untilTrue(written);
    }

    @Test
    void decisionsDoNotWait() {
        writers.decision(() -> written.set(true));
        await().untilTrue(written);
        assertThat(looks).hasValue(0);
    }
}
