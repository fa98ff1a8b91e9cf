package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes plans, several at a time, while the next decisions are made: the claims of a plan first, then the binding of its pod. A plan is
 * finished once it is known whether its writes succeeded.
 *
 * <p>When the write of an allocation fails, the claim is read from the API server, since the write may have succeeded although the response
 * was lost. If the claim is not allocated, one more write changes its resource version, so that the failed write can no longer take effect.
 */
public final class BindingCycle {

    /** Receives the result of a plan. */
    public interface Listener {

        /** All writes succeeded. */
        void written(BindingPlan plan);

        /** A write failed, and can no longer take effect. */
        void failed(BindingPlan plan);

        /** A write failed because the API server did not answer in time, and can no longer take effect. */
        default void timedOut(BindingPlan plan) {
            failed(plan);
        }

        /** Returns a listener that calls this one through the executor. */
        default Listener on(Executor executor) {
            Listener listener = this;
            return new Listener() {
                @Override
                public void written(BindingPlan plan) {
                    executor.execute(() -> listener.written(plan));
                }

                @Override
                public void failed(BindingPlan plan) {
                    executor.execute(() -> listener.failed(plan));
                }

                @Override
                public void timedOut(BindingPlan plan) {
                    executor.execute(() -> listener.timedOut(plan));
                }
            };
        }
    }

    private static final Logger LOG = Logger.getLogger(BindingCycle.class);

    /**
     * The interval does not grow, because the devices are held in the meantime and the number of such retries is limited to that of
     * decisions in flight.
     */
    private static final Duration FENCE_RETRY_INTERVAL = Duration.ofSeconds(1);

    private final ClaimWriter claims;
    private final PodWriter pods;
    private final EventRecorder events;
    private final Writers writers;
    private final BooleanSupplier mayWrite;

    /** @param mayWrite whether this process is certainly still the leader */
    public BindingCycle(
            ClaimWriter claims, PodWriter pods, EventRecorder events, Writers writers, BooleanSupplier mayWrite) {
        this.claims = claims;
        this.pods = pods;
        this.events = events;
        this.writers = writers;
        this.mayWrite = mayWrite;
    }

    /** @param listener called in a writer thread */
    public void submit(BindingPlan plan, Listener listener) {
        writers.decision(() -> run(plan, listener));
    }

    private void run(BindingPlan plan, Listener listener) {
        if (!isLeading()) {
            listener.failed(plan);
            return;
        }
        for (BindingPlan.Step step : plan.steps()) {
            @Nullable ResourceClaim unresolved = null;
            try {
                if (step.allocation() == null) {
                    claims.reserve(step.claim(), step.consumers());
                } else {
                    var protectedClaim =
                            step.extendedResourceClaim() == null ? claims.protect(step.claim()) : create(step);
                    if (!isLeading()) {
                        listener.failed(plan);
                        return;
                    }
                    unresolved = protectedClaim;
                    claims.allocate(protectedClaim, step.allocation(), step.snapshots(), step.consumers());
                }
            } catch (RuntimeException e) {
                log(plan, e);
                if (unresolved == null) {
                    fail(plan, e, listener);
                } else {
                    fence(plan, unresolved, e, listener);
                }
                reportRefusal(plan, e);
                return;
            }
        }
        bind(plan, listener);
    }

    private boolean isLeading() {
        try {
            return mayWrite.getAsBoolean();
        } catch (RuntimeException e) {
            LOG.warnf(e, "nothing is written: it is unknown whether this process is still the leader");
            return false;
        }
    }

    private ResourceClaim create(BindingPlan.Step step) {
        var created = claims.create(step.claim());
        step.created().set(created);
        return created;
    }

    private void bind(BindingPlan plan, Listener listener) {
        Pod pod = plan.pod();
        try {
            for (BindingPlan.Step step : plan.steps()) {
                var created = step.created().get();
                if (created != null) {
                    pod = pods.mapExtendedResources(
                            Objects.requireNonNull(pod),
                            created,
                            Objects.requireNonNull(step.extendedResourceClaim()).mappings());
                }
            }
            if (pod != null) {
                pods.recordUses(pod);
            }
            if (pod != null && plan.node() != null) {
                pods.bind(pod, plan.node());
            }
        } catch (RuntimeException e) {
            log(plan, e);
            fail(plan, e, listener);
            reportRefusal(plan, e);
            return;
        }
        listener.written(plan);
        writers.report(plan.item().uid() + "/written", plan.item().namespace(), () -> report(plan));
    }

    private void report(BindingPlan plan) {
        Pod pod = plan.pod();
        String settings = CompanionMessages.settings(plan.options());
        if (pod == null) {
            plan.steps()
                    .forEach(step -> events.normal(
                            step.claim(),
                            EventReason.Allocated,
                            CompanionMessages.allocated(Objects.requireNonNull(step.allocation())) + settings));
        } else if (plan.node() != null) {
            events.normal(pod, EventReason.Scheduled, CompanionMessages.scheduled(pod, plan.node()) + settings);
        }
    }

    /** Keeps the devices assumed until this succeeds, since the claim may still get them. */
    private void fence(BindingPlan plan, ResourceClaim claim, RuntimeException failure, Listener listener) {
        try {
            var stored = claims.read(claim);
            if (stored != null && !Allocations.isAllocated(stored)) {
                // Changes the resource version on which the failed write was based.
                claims.unprotect(stored);
            }
            fail(plan, failure, listener);
        } catch (RuntimeException e) {
            log(plan, e);
            writers.decisionIn(FENCE_RETRY_INTERVAL, () -> fence(plan, claim, failure, listener));
        }
    }

    private static void fail(BindingPlan plan, RuntimeException failure, Listener listener) {
        if (failure instanceof KubernetesClientException e && Refusals.isTimeout(e)) {
            listener.timedOut(plan);
        } else {
            listener.failed(plan);
        }
    }

    /** The API server would refuse the same write again, so the user is told why the item is pending. */
    private void reportRefusal(BindingPlan plan, RuntimeException e) {
        if (!(e instanceof KubernetesClientException refusal) || !ClaimWriter.isRefused(refusal)) {
            return;
        }
        String message = CompanionMessages.refused(refusal);
        writers.report(plan.item().uid() + "/refused", plan.item().namespace(), () -> {
            if (plan.pod() != null) {
                events.warning(plan.pod(), EventReason.FailedScheduling, message);
            } else {
                plan.steps().forEach(step -> events.warning(step.claim(), EventReason.NotAllocated, message));
            }
        });
    }

    private static void log(BindingPlan plan, RuntimeException e) {
        LOG.logf(
                e instanceof KubernetesClientException answer && ClaimWriter.isOutdated(answer)
                        ? Logger.Level.DEBUG
                        : Logger.Level.WARN,
                "%s %s/%s is decided again: %s",
                plan.item().kind(),
                plan.item().namespace(),
                plan.item().name(),
                e.getMessage() == null ? e.getCause() : e.getMessage());
    }
}
