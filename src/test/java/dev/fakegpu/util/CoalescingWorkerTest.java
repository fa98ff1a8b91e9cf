package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoalescingWorkerTest {

    private final AtomicInteger runs = new AtomicInteger();
    private final Semaphore mayRun = new Semaphore(0);
    private CoalescingWorker worker = new CoalescingWorker("test", this::countWhenAllowed);

    @AfterEach
    void close() {
        mayRun.release(1000);
        worker.close();
    }

    @Test
    void requestsDuringARunCauseOneFurtherRun() {
        // Given
        worker.request();
        awaitWaiting();

        // When
        for (int i = 0; i < 100; i++) {
            worker.request();
        }
        mayRun.release(100);

        // Then
        awaitRuns(2);
        worker.request();
        awaitRuns(3);
        assertThat(mayRun.availablePermits()).as("left after three runs").isEqualTo(97);
    }

    /** Each request is followed by a run that starts after it. */
    @Test
    void noRequestIsLost() throws InterruptedException {
        // Given
        var changes = new AtomicInteger();
        var seen = new AtomicInteger();
        worker.close();
        worker = new CoalescingWorker("test", () -> seen.set(changes.get()));

        // When
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (int thread = 0; thread < 4; thread++) {
            threads.execute(() -> {
                for (int i = 0; i < 10_000; i++) {
                    changes.incrementAndGet();
                    worker.request();
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

        // Then
        Awaitility.await().untilAsserted(() -> assertThat(seen).hasValue(40_000));
    }

    @Test
    void runsNeverOverlap() throws InterruptedException {
        // Given
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var done = new CountDownLatch(100);
        worker.close();
        worker = new CoalescingWorker("test", () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.yield();
            running.decrementAndGet();
            done.countDown();
            worker.request();
        });

        // When
        worker.request();
        worker.requestIn(Duration.ZERO);
        worker.request();

        // Then
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(most).hasValue(1);
    }

    @Test
    void aFailedRunIsRepeatedWithoutARequest() {
        // Given
        worker.close();
        worker = new CoalescingWorker("test", () -> {
            if (runs.incrementAndGet() == 1) {
                throw new IllegalStateException("the first run fails");
            }
        });

        // When
        worker.request();

        // Then
        Awaitility.await().untilAsserted(() -> assertThat(runs).hasValue(2));
    }

    @Test
    void ignoresRequestsOnceClosed() {
        // Given
        worker.close();

        // When
        worker.request();
        worker.requestIn(Duration.ZERO);

        // Then
        assertThat(runs).hasValue(0);
    }

    private void countWhenAllowed() {
        mayRun.acquireUninterruptibly();
        runs.incrementAndGet();
    }

    private void awaitWaiting() {
        Awaitility.await().until(mayRun::hasQueuedThreads);
    }

    private void awaitRuns(int expected) {
        Awaitility.await().untilAsserted(() -> assertThat(runs).hasValue(expected));
    }
}
