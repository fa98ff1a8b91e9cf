package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.api.FakeGpuStatus.TimedFault;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.condition.AcceptedCondition;
import dev.fakegpu.operator.publish.condition.ChangesPendingCondition;
import dev.fakegpu.operator.publish.condition.CompatibilityGroupsServedCondition;
import dev.fakegpu.operator.publish.condition.Conditions;
import dev.fakegpu.operator.publish.condition.DriverSharedCondition;
import dev.fakegpu.operator.publish.condition.FaultsInjectedCondition;
import dev.fakegpu.operator.publish.condition.FieldsServedCondition;
import dev.fakegpu.operator.publish.condition.KubeletPluginReadyCondition;
import dev.fakegpu.operator.publish.condition.PreparationSimulatedCondition;
import dev.fakegpu.operator.publish.condition.PublishedCondition;
import dev.fakegpu.operator.publish.condition.ReadyCondition;
import dev.fakegpu.operator.publish.condition.StatusReport;
import dev.fakegpu.operator.publish.condition.StatusTotals;
import dev.fakegpu.operator.publish.pool.FakeGpuPublisher;
import dev.fakegpu.operator.publish.pool.ForeignSlicesResult;
import dev.fakegpu.operator.publish.pool.PublishResult;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import jakarta.inject.Singleton;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles a FakeGpu into nodes, ResourceSlices and DeviceClasses, and reports the result in its status. A spec that cannot be published
 * is rejected as a whole, and what was published before is kept.
 *
 * <p>Every claim that is allocated or released changes the totals in the status. The rate limit merges such updates in a busy cluster.
 */
@GradualRetry(
        maxAttempts = PublishRetry.WITHOUT_END,
        initialInterval = PublishRetry.INITIAL_MILLIS,
        intervalMultiplier = 2,
        maxInterval = PublishRetry.MAX_MILLIS)
@ControllerConfiguration(name = "fakegpu", fieldManager = "fakegpu-operator-status", rateLimiter = ReconcileRate.class)
@Singleton // in another scope, Quarkus would rewrite the class, and the image would depend on the path of the sources
public final class FakeGpuReconciler implements Reconciler<FakeGpu> {

    /** Requeue delay if one turn was not enough to publish everything. */
    private static final Duration NEXT_TURN = Duration.ofMillis(1);

    /** Requeue delay if there was not enough memory to publish everything. */
    private static final Duration MEMORY_CHECK = Duration.ofMinutes(1);

    /** Minimum interval between reconciliations that only follow allocations: they change only counts and what waits for devices in use. */
    private static final Duration AFTER_ALLOCATIONS = Duration.ofSeconds(1);

    /** Requeue delay while the companion finishes allocations in flight. */
    private static final Duration HANDOVER_CHECK = Duration.ofMillis(50);

    private final ObjectStores cluster;
    private final ServerFeatures features;
    private final FakeGpuPublisher publisher;
    private final HandoverGuard handoverGuard;
    private final EventRecorder events;
    private final Clock clock;
    private final Ticker ticker;
    private final FakeGpuRemovals removals;
    private final TerminationChecks terminations;

    public FakeGpuReconciler(
            ObjectStores cluster,
            ServerFeatures features,
            FakeGpuPublisher publisher,
            HandoverGuard handoverGuard,
            EventRecorder events,
            Clock clock,
            Ticker ticker) {
        this.cluster = cluster;
        this.features = features;
        this.publisher = publisher;
        this.handoverGuard = handoverGuard;
        this.events = events;
        this.clock = clock;
        this.ticker = ticker;
        this.terminations = new TerminationChecks(ticker);
        this.removals = new FakeGpuRemovals(cluster.fakeGpus(), this::remove, publisher::release);
    }

    @Override
    public List<EventSource<?, FakeGpu>> prepareEventSources(EventSourceContext<FakeGpu> context) {
        var eventSource = new ReconcileEventSource();
        var triggers = new ReconcileTriggers(
                cluster,
                eventSource::propagateEvent,
                new EventThrottle<>(eventSource::propagateEvent, AFTER_ALLOCATIONS, ticker));
        triggers.register();
        new MissedEvents(cluster.fakeGpus(), eventSource::propagateUpdate).register();
        removals.register();
        features.whenChanged(triggers::all);
        new ClockSteps(clock, ticker, triggers::all, TaskExecutors.THREADS).start();
        return List.of(eventSource);
    }

    /** @param reconcile receives the name of each FakeGpu to reconcile after a change of another object */
    public void onChanges(Consumer<String> reconcile) {
        new ReconcileTriggers(cluster, id -> reconcile.accept(id.getName())).register();
    }

    @Override
    public UpdateControl<FakeGpu> reconcile(FakeGpu fakeGpu, Context<FakeGpu> context) {
        try {
            return reconcile(fakeGpu);
        } finally {
            removals.reconciled(fakeGpu);
        }
    }

    /** Publishes the FakeGpu; the result has the status to write and the time of the next call. */
    public UpdateControl<FakeGpu> reconcile(FakeGpu fakeGpu) {
        cluster.fakeGpus().written(fakeGpu);
        var report = report(fakeGpu);
        var unreadable = UnreadableFields.of(fakeGpu);
        if (unreadable.isPresent()) {
            refuse(report, unreadable.get());
            return updateStatus(report, recordedFaults(fakeGpu));
        }
        var problems = publisher.check(fakeGpu);
        if (!problems.isEmpty()) {
            refuse(report, problems.stream().map(SpecProblem::sentence).collect(Collectors.joining("; ")));
            return updateStatus(report, recordedFaults(fakeGpu));
        }
        if (fakeGpu.getSpec().allocator() == AllocatorName.KubeScheduler && !handoverGuard.isSafe(fakeGpu)) {
            return UpdateControl.<FakeGpu>noUpdate().rescheduleAfter(HANDOVER_CHECK);
        }
        AcceptedCondition.valid(report);
        var faults = publisher.faults(fakeGpu, clock.instant());
        var result = publisher.publish(faults.withActiveFaults(), faults.now());
        var foreign = publisher.foreignSlices(fakeGpu, ticker.now(), clock.instant());
        report(report, result, foreign);
        FaultsInjectedCondition.report(report, faults);
        var update = updateStatus(report, faults.status());
        Stream.of(again(fakeGpu, result), faults.untilNext(), foreign.next())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .ifPresent(update::rescheduleAfter);
        return update;
    }

    private Optional<Duration> again(FakeGpu fakeGpu, PublishResult result) {
        var termination =
                terminations.next(fakeGpu.getMetadata().getUid(), result.nodes().terminating());
        if (result.remaining() > 0) {
            return Optional.of(result.pools().limit() == null ? NEXT_TURN : MEMORY_CHECK);
        }
        return termination;
    }

    /** Removes what belongs to a FakeGpu that is deleted, and reports which claims hold its devices. */
    public void remove(FakeGpu fakeGpu) {
        terminations.forget(fakeGpu.getMetadata().getUid());
        var holders = publisher.removePools(fakeGpu);
        new RemovalEvents(events, publisher.eventReader())
                .record(fakeGpu, cluster.claims().list(), holders);
        publisher.removeNodesAndClasses(fakeGpu);
    }

    @Override
    public ErrorStatusUpdateControl<FakeGpu> updateErrorStatus(
            FakeGpu fakeGpu, Context<FakeGpu> context, Exception failure) {
        if (failure instanceof KubernetesClientException e && e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
            return ErrorStatusUpdateControl.noStatusUpdate(); // the retry sees what has changed
        }
        if (failure instanceof KubernetesClientException e && isDeleted(e)) {
            return ErrorStatusUpdateControl.<FakeGpu>noStatusUpdate().withNoRetry();
        }
        var report = report(fakeGpu);
        PublishedCondition.publishFailed(
                report, reason(failure), clock.instant().plus(PublishRetry.next(context)));
        ReadyCondition.publishFailed(report, reason(failure));
        return ErrorStatusUpdateControl.patchStatus(withStatus(fakeGpu, status(report, recordedFaults(fakeGpu))));
    }

    /** Whether the FakeGpu itself was not found. */
    private static boolean isDeleted(KubernetesClientException failure) {
        return failure.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                && failure.getStatus() != null
                && failure.getStatus().getDetails() != null
                && "fakegpus".equals(failure.getStatus().getDetails().getKind());
    }

    /** The API server's own message, without the request and details that the client adds. */
    private static String reason(Exception failure) {
        if (failure instanceof KubernetesClientException e && e.getStatus() != null) {
            return String.valueOf(e.getStatus().getMessage());
        }
        return String.valueOf(failure.getMessage());
    }

    private static void refuse(StatusReport report, String sentence) {
        AcceptedCondition.invalid(report, sentence);
        ReadyCondition.notAccepted(report, sentence);
        FaultsInjectedCondition.none(report);
    }

    private void report(StatusReport report, PublishResult result, ForeignSlicesResult foreign) {
        PublishedCondition.report(report, result);
        CompatibilityGroupsServedCondition.report(report, result);
        FieldsServedCondition.report(report, result);
        ChangesPendingCondition.report(report, result);
        KubeletPluginReadyCondition.report(report, result.plugins());
        DriverSharedCondition.report(report, foreign);
        PreparationSimulatedCondition.report(report, cluster);
        ReadyCondition.report(report.conditions(), result.nodes(), result.plugins());
        if (result.pools().changed()
                && result.remaining() == 0
                && result.pools().announced().isEmpty()) {
            PublishedCondition.changed(report, Objects.requireNonNull(totals(report.fakeGpu())));
        }
    }

    private UpdateControl<FakeGpu> updateStatus(StatusReport report, List<TimedFault> faults) {
        var status = status(report, faults);
        if (status.equals(report.fakeGpu().getStatus())) {
            return UpdateControl.noUpdate();
        }
        return UpdateControl.patchStatus(withStatus(report.fakeGpu(), status));
    }

    /**
     * Returns the object to apply: the status, with the resource version that was reconciled. Without the version, the framework would
     * treat the response as the newest state and drop the event of a change in between, such as a deletion; with it, such a change causes a
     * conflict.
     */
    private static FakeGpu withStatus(FakeGpu fakeGpu, FakeGpuStatus status) {
        var applied = new FakeGpu();
        applied.setMetadata(new ObjectMetaBuilder()
                .withName(fakeGpu.getMetadata().getName())
                .withUid(fakeGpu.getMetadata().getUid())
                .withResourceVersion(fakeGpu.getMetadata().getResourceVersion())
                .build());
        applied.setStatus(status);
        return applied;
    }

    private static List<TimedFault> recordedFaults(FakeGpu fakeGpu) {
        return fakeGpu.getStatus() == null ? List.of() : fakeGpu.getStatus().faults();
    }

    private FakeGpuStatus status(StatusReport report, List<TimedFault> faults) {
        return new FakeGpuStatus(
                report.fakeGpu().getMetadata().getGeneration(),
                report.conditions().list(),
                totals(report.fakeGpu()),
                faults);
    }

    private FakeGpuStatus.@Nullable Totals totals(FakeGpu fakeGpu) {
        if (!UnreadableFields.isReadable(fakeGpu)) {
            return fakeGpu.getStatus() == null ? null : fakeGpu.getStatus().totals();
        }
        return StatusTotals.of(
                fakeGpu,
                publisher.stored(fakeGpu),
                cluster.parsedSlices(),
                cluster.claims().list());
    }

    private StatusReport report(FakeGpu fakeGpu) {
        @Nullable FakeGpuStatus status = fakeGpu.getStatus();
        var conditions = new Conditions(
                status == null ? List.of() : status.conditions(),
                fakeGpu.getMetadata().getGeneration(),
                clock);
        return new StatusReport(fakeGpu, conditions, events, publisher.eventReader());
    }
}
