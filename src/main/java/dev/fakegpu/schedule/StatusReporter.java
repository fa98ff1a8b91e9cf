package dev.fakegpu.schedule;

import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.schedule.fit.NodeCandidates;
import dev.fakegpu.schedule.fit.NodeFit;
import dev.fakegpu.schedule.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Tells those who wait why, where their users look: events, the condition of the pod, the annotation of the claim. */
final class StatusReporter implements ExplanationQueue.Teller {

    private static final Logger LOG = Logger.getLogger(StatusReporter.class);
    private static final Duration BEFORE_COMPLAINTS = Duration.ofSeconds(1);
    private static final int ATTEMPTS = 5;
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(200);

    private final SchedulerCache cache;
    private final Responsibility waiters;
    private final NodeSearch placer;
    private final PodWriter pods;
    private final ClaimWriter claims;
    private final EventRecorder events;
    private final Writers writers;
    private final Supplier<CompanionOptions> options;

    StatusReporter(
            SchedulerCache cache,
            Responsibility waiters,
            NodeSearch placer,
            PodWriter pods,
            ClaimWriter claims,
            EventRecorder events,
            Writers writers,
            Supplier<CompanionOptions> options) {
        this.cache = cache;
        this.waiters = waiters;
        this.placer = placer;
        this.pods = pods;
        this.claims = claims;
        this.events = events;
        this.writers = writers;
        this.options = options;
    }

    @Override
    public Optional<String> explain(QueueItem item) {
        return switch (item.kind()) {
            case POD -> waiters.pod(item).map(this::explain);
            case CLAIM ->
                waiters.claim(item).map(claim -> {
                    var explanation = placer.explain(
                            cache.nodes().stream()
                                    .filter(node ->
                                            NodeFit.problem(node.stored(), null).isEmpty())
                                    .toList(),
                            node -> List.of(ClaimReader.read(claim)));
                    return explanation.reason() + ": " + explanation.sentence();
                });
        };
    }

    private String explain(Pod pod) {
        var wants = new PodRequirements(pod, waiters.claims(pod), cache);
        if (PodState.isBound(pod)) {
            String name = pod.getSpec().getNodeName();
            return "on node %s, where the pod is already: %s"
                    .formatted(
                            name,
                            cache.node(name)
                                    .map(node -> placer.explain(List.of(node), wants::claims)
                                            .sentence())
                                    .orElse("there is no such node"));
        }
        var candidates = new NodeCandidates(cache.nodes(), wants.fit());
        return candidates.fitting().isEmpty()
                ? candidates.summary()
                : candidates.summary()
                        + placer.explain(candidates.fitting(), wants::claims).sentence();
    }

    @Override
    public void tell(QueueItem item, String explanation) {
        writers.report(() -> tellNow(item, explanation));
    }

    @Override
    public void tellLater(QueueItem item, String explanation, BooleanSupplier isStillTrue) {
        writers.reportIn(BEFORE_COMPLAINTS, () -> {
            if (isStillTrue.getAsBoolean()) {
                tellNow(item, explanation);
            }
        });
    }

    private void tellNow(QueueItem item, String explanation) {
        DecisionLog.explained(item, options.get(), explanation);
        tell(item, explanation, ATTEMPTS);
    }

    private void tell(QueueItem item, String explanation, int attempts) {
        try {
            switch (item.kind()) {
                case POD -> waiters.pod(item).ifPresent(pod -> tell(pod, explanation));
                case CLAIM ->
                    waiters.claim(item).ifPresent(claim -> {
                        events.warning(
                                claim,
                                EventReason.NotAllocated,
                                explanation.split(": ", 2)[1] + options.get().remark());
                        claims.explain(claim, explanation);
                    });
            }
        } catch (KubernetesClientException e) {
            boolean changedMeanwhile = e.getCode() == HttpURLConnection.HTTP_CONFLICT;
            if (changedMeanwhile && attempts > 1) {
                writers.reportIn(BETWEEN_ATTEMPTS, () -> tell(item, explanation, attempts - 1));
            } else {
                LOG.debugf("%s/%s is not told why it waits: %s", item.namespace(), item.name(), e.getMessage());
            }
        }
    }

    /** The pod is bound as soon as its devices are ready. */
    void awaitsConditions(QueueItem item, ResourceClaim claim) {
        writers.report(() -> waiters.pod(item)
                .ifPresent(pod -> events.normal(
                        pod,
                        EventReason.BindingConditionsPending,
                        "waiting for binding conditions of the devices of ResourceClaim \"%s\""
                                .formatted(claim.getMetadata().getName()))));
    }

    private void tell(Pod pod, String explanation) {
        events.warning(
                pod, EventReason.FailedScheduling, explanation + options.get().remark());
        if (!PodState.isBound(pod)) {
            pods.unschedulable(pod, explanation);
        }
    }
}
