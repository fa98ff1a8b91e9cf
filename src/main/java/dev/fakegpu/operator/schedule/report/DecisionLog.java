package dev.fakegpu.operator.schedule.report;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.operator.schedule.bind.BindingPlan;
import dev.fakegpu.operator.schedule.queue.EquivalenceClass;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Logs each decision in one line as {@code key=value} with the settings in effect, and reports its result to the {@link DecisionListener}.
 * A repeated refusal for the same reason is logged at DEBUG only.
 */
public final class DecisionLog {

    private static final Logger LOG = Logger.getLogger(DecisionLog.class);

    private final DecisionListener listener;
    private final Supplier<CompanionOptions> options;
    private final Clock clock;
    private final Ticker ticker;

    public DecisionLog(DecisionListener listener, Supplier<CompanionOptions> options, Clock clock, Ticker ticker) {
        this.listener = listener;
        this.options = options;
        this.clock = clock;
        this.ticker = ticker;
    }

    /** Logs that all writes of the plan succeeded, with the time since the decision. */
    public void written(BindingPlan plan) {
        QueueItem item = plan.item();
        Duration taken = ticker.since(plan.decidedAt());
        LOG.infof(
                "%s %s%s devices=[%s] %s ms=%d",
                item.kind() == QueueItem.Kind.POD ? "Scheduled" : "Allocated",
                of(item),
                plan.node() == null ? "" : " node=" + plan.node(),
                devices(plan),
                plan.options().summary(),
                taken.toMillis());
        count(DecisionListener.Result.SCHEDULED, plan.options());
        allocations(plan)
                .forEach(allocation -> listener.allocated(allocation.results().size()));
        listener.took(DecisionListener.Phase.WRITE, taken);
        listener.scheduled(age(item));
    }

    /** The age of the object, assuming that the local clock and that of the API server agree. */
    private Duration age(QueueItem item) {
        Duration age = Duration.between(Instant.parse(item.created()), clock.instant());
        return age.isNegative() ? Duration.ZERO : age;
    }

    public void failed(BindingPlan plan) {
        LOG.debugf("Error %s %s: trying again", of(plan.item()), plan.options().summary());
        count(DecisionListener.Result.ERROR, plan.options());
    }

    /** @param taken the duration of the attempt, without the explanation */
    public void unschedulable(QueueItem item, Duration taken) {
        LOG.debugf("Unschedulable %s %s ms=%d", of(item), options.get().summary(), taken.toMillis());
        count(DecisionListener.Result.UNSCHEDULABLE, options.get());
    }

    /** Logs the details of an interrupted attempt, which counts as unschedulable. */
    public void interrupted(QueueItem item, EquivalenceClass.Interruption interruption, String why) {
        LOG.infof(
                "Interrupted %s node=%s attempts=%d retryIn=%dms: %s",
                of(item),
                interruption.node(),
                interruption.inARow(),
                ticker.until(interruption.retryAt()).toMillis(),
                why);
    }

    void explained(QueueItem item, PendingReason reason) {
        LOG.infof(
                "Unschedulable %s reason=%s %s: %s",
                of(item), reason.code(), options.get().summary(), reason.text().full());
    }

    /** Counts a refusal for another reason than before. */
    void refused(PendingReason reason) {
        listener.refused(reason.code());
    }

    /** Runs a part of the work for a decision and reports its duration. */
    public <T> T timed(DecisionListener.Phase phase, Supplier<T> work) {
        Moment begun = ticker.now();
        T result = work.get();
        listener.took(phase, ticker.since(begun));
        return result;
    }

    private void count(DecisionListener.Result result, CompanionOptions decidedWith) {
        listener.decided(result, decidedWith.gate(), decidedWith.groupPolicy());
    }

    private static String of(QueueItem item) {
        return (item.kind() == QueueItem.Kind.POD ? "pod=" : "claim=") + item.namespace() + "/" + item.name();
    }

    private static String devices(BindingPlan plan) {
        return allocations(plan).flatMap(DecisionLog::devices).collect(Collectors.joining(" "));
    }

    private static Stream<Allocation> allocations(BindingPlan plan) {
        return plan.steps().stream().flatMap(step -> Stream.ofNullable(step.allocation()));
    }

    private static Stream<String> devices(Allocation allocation) {
        return allocation.results().stream()
                .map(result -> result.device().pool() + "/" + result.device().device());
    }
}
