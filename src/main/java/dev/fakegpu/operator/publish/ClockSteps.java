package dev.fakegpu.operator.publish;

import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Notices when the system clock is set. The framework schedules retries and the next reconciliations with a {@link java.util.Timer}, which
 * waits for wall-clock times: if the clock is set back by an hour, they come an hour late unless something else reconciles the FakeGpus.
 */
final class ClockSteps {

    /** A smaller step delays a retry by less than that. */
    private static final Duration NEGLIGIBLE = Duration.ofMillis(100);

    /** The maximum inaccuracy of one reading of the clock; that of two readings does not look like a step. */
    private static final Duration INACCURACY = NEGLIGIBLE.dividedBy(2);

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final Logger LOG = Logger.getLogger(ClockSteps.class);

    private final Clock clock;
    private final Ticker ticker;
    private final Runnable whenSet;
    private final CoalescingWorker worker;
    private @Nullable Reading last;

    private record Reading(Instant time, Moment moment) {}

    ClockSteps(Clock clock, Ticker ticker, Runnable whenSet, TaskExecutors executors) {
        this.clock = clock;
        this.ticker = ticker;
        this.whenSet = whenSet;
        worker = new CoalescingWorker("clock-steps", this::look, executors);
    }

    void start() {
        worker.request();
    }

    private void look() {
        worker.requestIn(INTERVAL);
        step().ifPresent(step -> {
            LOG.warnf("the clock was set by %d ms; all FakeGpus are reconciled", step.toMillis());
            whenSet.run();
        });
    }

    /** How far the clock was set, forward or back, since the last call; empty if it was set by a negligible amount or not at all. */
    Optional<Duration> step() {
        Moment before = ticker.now();
        Instant time = clock.instant();
        if (ticker.since(before).compareTo(INACCURACY) > 0) {
            return Optional.empty(); // the thread was preempted between the readings, which looks like a step
        }
        Reading previous = last;
        last = new Reading(time, before);
        return Optional.ofNullable(previous)
                .map(known -> Duration.between(known.time(), time)
                        .minus(known.moment().until(before)))
                .filter(step -> step.abs().compareTo(NEGLIGIBLE) > 0);
    }
}
