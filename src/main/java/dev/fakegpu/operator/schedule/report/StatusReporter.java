package dev.fakegpu.operator.schedule.report;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.pending.EventText;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.schedule.bind.BindingFailures;
import dev.fakegpu.operator.schedule.bind.ClaimWriter;
import dev.fakegpu.operator.schedule.bind.CompanionMessages;
import dev.fakegpu.operator.schedule.bind.PodWriter;
import dev.fakegpu.operator.schedule.bind.Writers;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.ExponentialBackoff;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Writes why a pod or claim is pending to the places where users look: events, the condition of the pod, the annotation of the claim. */
public final class StatusReporter {

    private static final Logger LOG = Logger.getLogger(StatusReporter.class);
    private static final Duration REPORT_DELAY = Duration.ofSeconds(1);

    /** The back-off for reports that the API server did not store; they are retried for as long as the item is pending for this reason. */
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofMillis(200), Duration.ofMinutes(2));

    /** Reasons of events about pending items. */
    private static final Set<EventReason> PENDING =
            EnumSet.of(EventReason.FailedScheduling, EventReason.NotAllocated, EventReason.BindingConditionsPending);

    private final CompanionScope scope;
    private final PodWriter pods;
    private final ClaimWriter claims;
    private final EventRecorder events;
    private final Writers writers;
    private final DecisionLog log;

    /** @param refused the code of the reason for which the item was last counted as refused; empty if it has not been counted */
    private record Explained(PendingReason why, String refused) {}

    /** The last explanation of each pending pod and claim, by UID. */
    private final Map<String, Explained> explanations = new ConcurrentHashMap<>();

    /** By UID. They are kept across decisions about a pod, until it is bound or gone. */
    private final Map<String, BindingFailures> bindingFailures = new ConcurrentHashMap<>();

    public StatusReporter(
            CompanionScope scope,
            PodWriter pods,
            ClaimWriter claims,
            EventRecorder events,
            Writers writers,
            DecisionLog log) {
        this.scope = scope;
        this.pods = pods;
        this.claims = claims;
        this.events = events;
        this.writers = writers;
        this.log = log;
    }

    /** Reports why an item is pending, unless this was the last report. */
    void report(QueueItem item, PendingReason explanation) {
        if (isNew(item, explanation)) {
            enqueue(item);
        }
    }

    /** The last explanation of why an item is pending; null if there is none. */
    @Nullable public PendingReason reason(String uid) {
        var explained = explanations.get(uid);
        return explained == null ? null : explained.why();
    }

    /** Reports the reason after a short delay, if it still holds then. */
    void reportLater(QueueItem item, PendingReason explanation) {
        reportAfter(item, explanation, REPORT_DELAY);
    }

    void reportAfter(QueueItem item, PendingReason explanation, Duration delay) {
        if (isNew(item, explanation)) {
            writers.reportIn(delay, () -> {
                if (isCurrent(item, explanation)) {
                    enqueue(item);
                }
            });
        }
    }

    /** Drops the reports about an item that is no longer pending. */
    void forget(String uid) {
        explanations.remove(uid);
        PENDING.forEach(reason -> events.withdraw(uid, reason));
    }

    private boolean isNew(QueueItem item, PendingReason explanation) {
        if (isCurrent(item, explanation)) {
            return false;
        }
        remember(item, explanation);
        return true;
    }

    private void remember(QueueItem item, PendingReason explanation) {
        explanations.compute(
                item.uid(), (uid, before) -> new Explained(explanation, before == null ? "" : before.refused()));
    }

    private boolean isCurrent(QueueItem item, PendingReason explanation) {
        return explanation.equals(reason(item.uid()));
    }

    /**
     * Reports that the pod will be bound once its devices are ready.
     *
     * @param unmet devices and conditions
     * @param until the end of the attempt
     */
    public void reportBindingConditionsPending(QueueItem item, List<String> unmet, Instant until) {
        String message = CompanionMessages.awaitsBindingConditions(
                unmet, until, Optional.ofNullable(bindingFailures.get(item.uid())));
        writers.report(
                item.uid() + "/binding-conditions",
                item.namespace(),
                () -> scope.pendingPod(item)
                        .ifPresent(pod -> events.normal(pod, EventReason.BindingConditionsPending, message)));
    }

    /** Reports a failure as an event only, since the next attempt has begun by the time it is written. */
    public void reportBindingFailure(QueueItem item, String why) {
        bindingFailures
                .values()
                .removeIf(failures -> scope.pendingPod(failures.pod()).isEmpty());
        boolean isFirst = !bindingFailures.containsKey(item.uid());
        remember(item, PendingReason.bindingFailed(why));
        bindingFailures.compute(
                item.uid(), (uid, before) -> before == null ? BindingFailures.first(item, why) : before.and(why));
        writers.report(item.uid() + "/binding-failure", item.namespace(), () -> {
            var reason = PendingReason.bindingFailed(why);
            log.explained(item, reason);
            if (isFirst) {
                log.refused(reason);
            }
            scope.pendingPod(item).ifPresent(pod -> {
                warn(pod, EventReason.FailedScheduling, reason, why);
                refuse(item, pod, why);
            });
        });
    }

    /** Writes the condition and the event as kube-scheduler does. If the pod has changed, this is left to the next attempt. */
    private void refuse(QueueItem item, Pod pod, String why) {
        if (PodState.isBound(pod)) {
            return;
        }
        try {
            pods.refuse(pod, PodState.UNSCHEDULABLE, why);
        } catch (KubernetesClientException e) {
            LOG.debugf("the status of %s/%s is not written: %s", item.namespace(), item.name(), e.getMessage());
        }
    }

    /** Queues a report that writes the explanation that is current at that time. */
    private void enqueue(QueueItem item) {
        writers.report(item.uid(), item.namespace(), () -> {
            Explained explanation = explanations.computeIfPresent(item.uid(), (uid, explained) -> counted(explained));
            if (explanation != null) {
                log.explained(item, explanation.why());
                write(item, explanation.why(), 0);
            }
        });
    }

    private Explained counted(Explained explained) {
        String code = explained.why().code();
        if (code.equals(explained.refused())) {
            return explained;
        }
        log.refused(explained.why());
        return new Explained(explained.why(), code);
    }

    private void retry(QueueItem item, PendingReason explanation, int failures) {
        if (isCurrent(item, explanation)) {
            write(item, explanation, failures);
        }
    }

    private void write(QueueItem item, PendingReason explanation, int failures) {
        try {
            switch (item.kind()) {
                case POD -> scope.pendingPod(item).ifPresent(pod -> write(pod, explanation));
                case CLAIM -> scope.pendingClaim(item).ifPresent(claim -> write(claim, explanation));
            }
        } catch (KubernetesClientException e) {
            Duration wait = RETRY.after(failures + 1);
            LOG.debugf(
                    "the status of %s/%s is not written; trying again in %s: %s",
                    item.namespace(), item.name(), wait, e.getMessage());
            writers.reportIn(wait, () -> retry(item, explanation, failures + 1));
        }
    }

    private void write(Pod pod, PendingReason explanation) {
        String text = explanation.isDevicesError()
                ? EventText.failed(explanation.text().shown())
                : explanation.text().shown();
        warn(pod, EventReason.FailedScheduling, explanation, text);
        if (!PodState.isBound(pod)) {
            pods.refuse(pod, explanation.isError() ? PodState.SCHEDULER_ERROR : PodState.UNSCHEDULABLE, text);
        }
    }

    private void write(ResourceClaim claim, PendingReason explanation) {
        String text = explanation.text().shown();
        warn(claim, EventReason.NotAllocated, explanation, text);
        claims.explain(claim, explanation.annotation());
    }

    private void warn(HasMetadata about, EventReason reason, PendingReason why, String message) {
        events.warning(about, new EventRecorder.Message(reason, message, why.code()));
    }

    /** The number of pending pods and claims by the code of the reason. */
    Map<String, Integer> countByCode() {
        return explanations.values().stream()
                .collect(Collectors.toMap(explained -> explained.why().code(), explained -> 1, Integer::sum));
    }
}
