package dev.fakegpu.schedule;

import dev.fakegpu.util.YieldPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * The threads that write: decisions many at a time, and beside them, so that nobody waits for it, what is only reported. Reports
 * come after decisions, as far as they can wait.
 */
final class Writers implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Writers.class);
    private static final int REPORTS = 2;

    private final ScheduledExecutorService decisions;
    private final ScheduledExecutorService reports;
    private final YieldPolicy yieldPolicy;

    /** @param yieldPolicy when reports wait for decisions */
    Writers(int threads, YieldPolicy yieldPolicy) {
        this.yieldPolicy = yieldPolicy;
        decisions = executor("companion-writer", threads);
        reports = executor("companion-reporter", REPORTS);
    }

    /** A write that others wait for. */
    void decision(Runnable write) {
        run(decisions, write, Duration.ZERO);
    }

    void decisionIn(Duration delay, Runnable write) {
        run(decisions, write, delay);
    }

    /** A write that informs people. */
    void report(Runnable write) {
        Instant deadline = yieldPolicy.deadline();
        run(reports, () -> afterDecisions(write, deadline), Duration.ZERO);
    }

    private void afterDecisions(Runnable write, Instant deadline) {
        if (yieldPolicy.yieldsUntil(deadline)) {
            run(reports, () -> afterDecisions(write, deadline), YieldPolicy.RECHECK_INTERVAL);
        } else {
            write.run();
        }
    }

    void reportIn(Duration delay, Runnable write) {
        run(reports, write, delay);
    }

    private static void run(ScheduledExecutorService executor, Runnable write, Duration delay) {
        if (executor.isShutdown()) {
            return;
        }
        var ignored = executor.schedule(
                () -> {
                    try {
                        write.run();
                    } catch (RuntimeException e) {
                        LOG.warnf(e, "a write failed in a way that was not expected");
                    }
                },
                delay.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private static ScheduledExecutorService executor(String name, int threads) {
        var number = new AtomicInteger();
        return Executors.newScheduledThreadPool(threads, task -> {
            var thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** What is being written is finished, what waits is dropped. */
    @Override
    public void close() {
        decisions.shutdownNow();
        reports.shutdownNow();
        try {
            if (!decisions.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("writes did not end within 10 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
