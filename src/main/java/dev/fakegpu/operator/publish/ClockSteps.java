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
 * Notices when somebody sets the clock. The framework plans retries and the next reconciliations with a {@link java.util.Timer}, which waits
 * for times of the wall clock: if that is set back by an hour, they come an hour late unless something reconciles the FakeGpus.
 */
final class ClockSteps {

    /** A smaller step makes a retry late by less than that. */
    private static final Duration NEGLIGIBLE = Duration.ofMillis(100);

    /** Of a reading of the clock. Two of them make no step that is not negligible. */
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

    /** By how much the clock was set since the last call, forward or back; empty if by next to nothing. */
    Optional<Duration> step() {
        Moment before = ticker.now();
        Instant time = clock.instant();
        if (ticker.since(before).compareTo(INACCURACY) > 0) {
            return Optional.empty(); // this thread had to wait between the readings, which looks like a step
        }
        Reading previous = last;
        last = new Reading(time, before);
        return Optional.ofNullable(previous)
                .map(known -> Duration.between(known.time(), time)
                        .minus(known.moment().until(before)))
                .filter(step -> step.abs().compareTo(NEGLIGIBLE) > 0);
    }
}
