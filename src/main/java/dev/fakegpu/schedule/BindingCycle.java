package dev.fakegpu.schedule;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes decisions, many at a time, while the next ones are made: claims first, then the binding. A decision ends when it is known
 * what came of its writes. After the write of an allocation failed, the API server is asked: an answer may have been lost, also one
 * that the client repeated its request for. If the claim is not allocated, a further write keeps the first from taking effect
 * later.
 */
final class BindingCycle {

    private static final Logger LOG = Logger.getLogger(BindingCycle.class);
    private static final Duration BETWEEN_SETTLEMENTS = Duration.ofSeconds(1);

    private final ClaimWriter claims;
    private final PodWriter pods;
    private final EventRecorder events;
    private final Writers writers;
    private final BooleanSupplier mayWrite;

    /** Told when a decision has ended, and whether all of it was written. */
    private final BiConsumer<BindingPlan, Boolean> ended;

    BindingCycle(
            ClaimWriter claims,
            PodWriter pods,
            EventRecorder events,
            Writers writers,
            BooleanSupplier mayWrite,
            BiConsumer<BindingPlan, Boolean> ended) {
        this.claims = claims;
        this.pods = pods;
        this.events = events;
        this.writers = writers;
        this.mayWrite = mayWrite;
        this.ended = ended;
    }

    void submit(BindingPlan assignment) {
        writers.decision(() -> run(assignment));
    }

    private void run(BindingPlan assignment) {
        if (!mayWrite.getAsBoolean()) {
            ended.accept(assignment, false);
            return;
        }
        for (BindingPlan.Step step : assignment.steps()) {
            @Nullable ResourceClaim unsettled = null;
            try {
                if (step.allocation() == null) {
                    claims.reserve(step.claim(), Objects.requireNonNull(assignment.pod()));
                } else {
                    var protectedClaim = step.special() == null ? claims.protect(step.claim()) : create(step);
                    if (!mayWrite.getAsBoolean()) {
                        ended.accept(assignment, false);
                        return;
                    }
                    unsettled = protectedClaim;
                    claims.allocate(protectedClaim, step.allocation(), step.snapshots(), assignment.pod());
                }
            } catch (KubernetesClientException e) {
                log(assignment, e);
                if (unsettled == null) {
                    ended.accept(assignment, false);
                } else {
                    settle(assignment, unsettled);
                }
                return;
            }
        }
        bind(assignment);
    }

    private ResourceClaim create(BindingPlan.Step step) {
        var created = claims.create(step.claim());
        step.created().set(created);
        return created;
    }

    private void bind(BindingPlan assignment) {
        Pod pod = assignment.pod();
        try {
            for (BindingPlan.Step step : assignment.steps()) {
                var created = step.created().get();
                if (created != null) {
                    pod = pods.mapExtendedResources(
                            Objects.requireNonNull(pod),
                            created,
                            Objects.requireNonNull(step.special()).mappings());
                }
            }
            if (pod != null && assignment.node() != null) {
                pods.bind(pod, assignment.node());
            }
            ended.accept(assignment, true);
            writers.report(() -> report(assignment));
        } catch (KubernetesClientException e) {
            log(assignment, e);
            ended.accept(assignment, false);
        }
    }

    private void report(BindingPlan assignment) {
        Pod pod = assignment.pod();
        if (pod == null) {
            assignment
                    .steps()
                    .forEach(step -> events.normal(
                            step.claim(),
                            EventReason.Allocated,
                            describe(Objects.requireNonNull(step.allocation()))
                                    + assignment.options().remark()));
        } else if (assignment.node() != null) {
            events.normal(
                    pod,
                    EventReason.Scheduled,
                    "Successfully assigned %s/%s to %s%s"
                            .formatted(
                                    pod.getMetadata().getNamespace(),
                                    pod.getMetadata().getName(),
                                    assignment.node(),
                                    assignment.options().remark()));
        }
    }

    private static String describe(Allocation allocation) {
        return allocation.results().stream()
                .map(result -> "request \"%s\": %s of pool %s"
                        .formatted(
                                result.request(),
                                result.device().device(),
                                result.device().pool()))
                .collect(Collectors.joining("; "));
    }

    /** Nobody else may be given the devices until it is certain that the claim does not get them. */
    private void settle(BindingPlan assignment, ResourceClaim claim) {
        try {
            var stored = claims.read(claim);
            if (stored != null && !Allocations.isAllocated(stored)) {
                // With this the version on which the lost write is based is gone.
                claims.unprotect(stored);
            }
            ended.accept(assignment, false);
        } catch (KubernetesClientException e) {
            log(assignment, e);
            writers.decisionIn(BETWEEN_SETTLEMENTS, () -> settle(assignment, claim));
        }
    }

    private static void log(BindingPlan assignment, KubernetesClientException e) {
        boolean changedMeanwhile =
                e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
        LOG.logf(
                changedMeanwhile ? Logger.Level.DEBUG : Logger.Level.WARN,
                "%s %s/%s is decided anew: %s",
                assignment.item().kind(),
                assignment.item().namespace(),
                assignment.item().name(),
                e.getMessage() == null ? e.getCause() : e.getMessage());
    }
}
