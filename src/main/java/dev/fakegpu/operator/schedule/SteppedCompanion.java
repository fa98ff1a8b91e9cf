package dev.fakegpu.operator.schedule;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.report.StatusReporter;
import java.time.Duration;
import java.util.Optional;

/** The companion without threads, for a cluster in memory: the caller decides when it works. {@link CompanionBuilder} builds it. */
public final class SteppedCompanion {

    private final EventLoop eventLoop;
    private final DecisionLoop decisions;
    private final SchedulerCache cache;
    private final StatusReporter statuses;

    SteppedCompanion(EventLoop eventLoop, DecisionLoop decisions, SchedulerCache cache, StatusReporter statuses) {
        this.eventLoop = eventLoop;
        this.decisions = decisions;
        this.cache = cache;
        this.statuses = statuses;
    }

    /**
     * Why a pod or claim is pending.
     *
     * @param code for programs, such as the name of a {@link dev.fakegpu.engine.explain.finding.Reason}
     * @param sentence the text that its users see
     */
    public record Pending(String code, String sentence) {}

    /**
     * Handles all changes and makes all decisions that can be made now.
     *
     * @return whether there were any
     */
    public boolean runUntilIdle() {
        return eventLoop.runUntilIdle(decisions);
    }

    /**
     * Handles all changes, such as pods whose claims must be released, without decisions.
     *
     * @return whether there were any
     */
    public boolean handleChanges() {
        return eventLoop.runEvents();
    }

    /** The longest time until there may be work without a change in the cluster. */
    public Duration maxWait() {
        return decisions.maxWait();
    }

    /** Whether a pod or claim of the namespace is ready to be scheduled. */
    public boolean isBusyWith(String namespace) {
        return decisions.isBusyWith(namespace);
    }

    /** The last explanation of why a pod or claim is pending; empty if there is none. */
    public Optional<Pending> pending(String uid) {
        return Optional.ofNullable(statuses.reason(uid))
                .map(reason -> new Pending(reason.code(), reason.text().shown()));
    }

    /** Stops allocating devices of a FakeGpu whose spec names another allocator. */
    public boolean relinquish(FakeGpu fakeGpu) {
        return cache.relinquish(fakeGpu);
    }
}
