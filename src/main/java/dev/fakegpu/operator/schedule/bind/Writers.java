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
 * Reports for a namespace are delayed while decisions about the same namespace are being made, up to a limit.
 */
public final class Writers implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Writers.class);
    private static final int REPORT_THREADS = 2;

    private final ScheduledExecutorService decisions;
    private final ScheduledExecutorService reports;
    private final YieldPolicy yieldPolicy;
    private final ReportQueue reportQueue = new ReportQueue();

    /** How many report threads are at work or about to be. */
    private final AtomicInteger reporting = new AtomicInteger();

    /**
     * @param threads number of threads for decisions
     * @param yieldPolicy when reports yield to decisions
     */
    public Writers(int threads, YieldPolicy yieldPolicy) {
        this(threads, yieldPolicy, TaskExecutors.THREADS);
    }

    public Writers(int threads, YieldPolicy yieldPolicy, TaskExecutors executors) {
        this.yieldPolicy = yieldPolicy;
        decisions = executors.named("companion-writer", threads);
        reports = executors.named("companion-reporter", REPORT_THREADS);
    }

    /** A write of a decision. */
    void decision(Runnable write) {
        run(decisions, write, Duration.ZERO);
    }

    void decisionIn(Duration delay, Runnable write) {
        run(decisions, write, delay);
    }

    /**
     * A write that informs users.
     *
     * @param key if an earlier write with the same key has not begun yet, this one takes its place
     * @param namespace of the object that it is about
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
            // A report may have been added since; then the thread that added it may have seen this one as busy.
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
                        // The executor would keep it in a future that nobody reads.
                        FatalErrors.end(e);
                    }
                },
                delay.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Finishes writes that have started, and drops the others. */
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
