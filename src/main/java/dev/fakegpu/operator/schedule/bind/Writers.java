package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.util.FatalErrors;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.YieldPolicy;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * The writer threads: some for decisions, others for reports (events, conditions, annotations), so that no decision waits for a report.
 * Reports for a namespace are delayed, up to a limit, while decisions about the same namespace are being made.
 */
public final class Writers implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Writers.class);
    private static final int REPORT_THREADS = 2;

    private final ScheduledExecutorService decisions;
    private final ScheduledExecutorService reports;
    private final YieldPolicy yieldPolicy;
    private final ReportQueue reportQueue = new ReportQueue();

    /** The number of report threads that are running or about to run. */
    private final AtomicInteger reporting = new AtomicInteger();

    /**
     * @param threads the number of threads for decisions
     * @param yieldPolicy when reports yield to decisions
     */
    public Writers(int threads, YieldPolicy yieldPolicy, TaskExecutors executors) {
        this.yieldPolicy = yieldPolicy;
        decisions = executors.named("companion-writer", threads);
        reports = executors.named("companion-reporter", REPORT_THREADS);
    }

    /** Runs a write of a decision. */
    void decision(Runnable write) {
        run(decisions, write, Duration.ZERO);
    }

    void decisionIn(Duration delay, Runnable write) {
        run(decisions, write, delay);
    }

    /**
     * Runs a write that informs users.
     *
     * @param key this write replaces an earlier one with the same key that has not begun yet
     * @param namespace the namespace of the object that it is about
     */
    public void report(String key, String namespace, Runnable write) {
        reportQueue.put(key, new ReportQueue.Report(namespace, write, yieldPolicy.deadline()));
        if (reporting.getAndUpdate(threads -> Math.min(threads + 1, REPORT_THREADS)) < REPORT_THREADS) {
            run(reports, this::writeReports, Duration.ZERO);
        }
    }

    private void writeReports() {
        var next = reportQueue.poll(report -> !yieldPolicy.yieldsUntil(report.deadline(), report.namespace()));
        if (next.isPresent()) {
            try {
                next.get().run();
            } finally {
                run(reports, this::writeReports, Duration.ZERO);
            }
        } else if (!reportQueue.isEmpty()) {
            run(reports, this::writeReports, YieldPolicy.RECHECK_INTERVAL);
        } else {
            reporting.decrementAndGet();
            // Another report may have been added since, by a thread that still counted this one as running.
            if (!reportQueue.isEmpty()) {
                reporting.incrementAndGet();
                run(reports, this::writeReports, Duration.ZERO);
            }
        }
    }

    public void reportIn(Duration delay, Runnable write) {
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
                        LOG.warnf(e, "a write failed unexpectedly");
                    } catch (Error e) {
                        // The executor would only store it in a future that is never read.
                        FatalErrors.end(e);
                    }
                },
                delay.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Finishes the writes that have started and drops the others. */
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
