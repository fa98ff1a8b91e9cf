package dev.fakegpu.operator.publish;

import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jboss.logging.Logger;

/**
 * Notices when somebody sets the clock. The framework plans retries and the next reconciliations with a {@link java.util.Timer}, which waits
 * for times of the wall clock: if that is set back by an hour, they come an hour late unless something reconciles the FakeGpus.
 */
final class ClockSteps {

    /** A smaller step makes a retry late by less than that. */
    static final Duration NEGLIGIBLE = Duration.ofMillis(100);

    static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = Logger.getLogger(ClockSteps.class);

    private final Clock clock;
    private final Ticker ticker;
    private final Runnable whenSet;
    private final CoalescingWorker worker;
    private Instant lastTime;
    private Moment lastMoment;

    ClockSteps(Clock clock, Ticker ticker, Runnable whenSet, TaskExecutors executors) {
        this.clock = clock;
        this.ticker = ticker;
        this.whenSet = whenSet;
        lastTime = clock.instant();
        lastMoment = ticker.now();
        worker = new CoalescingWorker("clock-steps", this::look, executors);
    }

    void start() {
        worker.requestIn(INTERVAL);
    }

    private void look() {
        Instant time = clock.instant();
        Moment moment = ticker.now();
        Duration step = Duration.between(lastTime, time).minus(lastMoment.until(moment));
        lastTime = time;
        lastMoment = moment;
        worker.requestIn(INTERVAL);
        if (step.abs().compareTo(NEGLIGIBLE) > 0) {
            LOG.warnf("the clock was set by %d ms; all FakeGpus are reconciled", step.toMillis());
            whenSet.run();
        }
    }
}
