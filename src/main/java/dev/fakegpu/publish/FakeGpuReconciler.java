package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.api.FakeGpuStatus.TimedFault;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.inventory.SpecProblem;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimited;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles a FakeGpu into nodes, ResourceSlices and DeviceClasses. A spec that cannot be published is refused as a whole, and
 * what was published before stays.
 *
 * <p>In a busy cluster claims come and go all the time, and each changes the totals in the status: the rate is limited so that these
 * are summed up.
 */
@RateLimited(maxReconciliations = 4, within = 1)
@ControllerConfiguration(name = "fakegpu", fieldManager = "fakegpu-operator-status")
public final class FakeGpuReconciler implements Reconciler<FakeGpu>, Cleaner<FakeGpu> {

    private static final Duration WHILE_PODS_END = Duration.ofMillis(200);
    private static final Duration WHILE_DECISIONS_END = Duration.ofMillis(50);

    private final ClusterWatch cluster;
    private final InventoryPlanner planner;
    private final ServerFeatures features;
    private final HandoverGuard allocatorSwitch;
    private final EventRecorder events;
    private final Clock clock;
    private final PoolPublisher pools;
    private final FakeGpuPublisher publisher;
    private final SimulatedNodes simulatedNodes;
    private final DeviceClassPublisher deviceClasses;

    public FakeGpuReconciler(
            KubernetesClient client,
            ClusterWatch cluster,
            InventoryPlanner planner,
            ServerFeatures features,
            PublishOptions options,
            HandoverGuard allocatorSwitch,
            EventRecorder events,
            Clock clock) {
        this.cluster = cluster;
        this.planner = planner;
        this.features = features;
        this.allocatorSwitch = allocatorSwitch;
        this.events = events;
        this.clock = clock;
        this.pools = new PoolPublisher(client, cluster, features);
        this.publisher = new FakeGpuPublisher(cluster, planner, pools, features, options);
        this.simulatedNodes = new SimulatedNodes(client, cluster.nodes(), cluster.pods());
        this.deviceClasses = new DeviceClassPublisher(client, cluster, planner::hasTypes);
    }

    @Override
    public List<EventSource<?, FakeGpu>> prepareEventSources(EventSourceContext<FakeGpu> context) {
        var changes = new ClusterChanges();
        var triggers = new ReconcileTriggers(cluster, changes::propagateEvent);
        triggers.register();
        new MissedEvents(cluster.fakeGpus(), changes::propagateAsItsOwn).register();
        features.start(triggers::all);
        return List.of(changes);
    }

    @Override
    public UpdateControl<FakeGpu> reconcile(FakeGpu fakeGpu, Context<FakeGpu> context) {
        cluster.fakeGpus().written(fakeGpu);
        var conditions = conditions(fakeGpu);
        var problems = planner.check(fakeGpu.getSpec(), fakeGpu.getMetadata().getName());
        if (!problems.isEmpty()) {
            refuse(fakeGpu, problems, conditions);
            conditions.remove(Conditions.Type.FaultsInjected);
            return updateStatus(fakeGpu, conditions, faultsSoFar(fakeGpu));
        }
        if (fakeGpu.getSpec().allocator() == AllocatorName.KubeScheduler && !allocatorSwitch.isSafe(fakeGpu)) {
            return UpdateControl.<FakeGpu>noUpdate().rescheduleAfter(WHILE_DECISIONS_END);
        }
        conditions.setTrue(Conditions.Type.Accepted, "Valid", "the spec can be published");
        var faults = new FaultTimeline(
                fakeGpu, planner, pools.stored(fakeGpu), cluster.claims().list(), clock.instant());
        boolean leaving = publish(faults.struck(), conditions);
        faults.say(conditions, events);
        var update = updateStatus(fakeGpu, conditions, faults.status());
        var again = leaving ? Optional.of(WHILE_PODS_END) : faults.next();
        again.ifPresent(update::rescheduleAfter);
        return update;
    }

    @Override
    public DeleteControl cleanup(FakeGpu fakeGpu, Context<FakeGpu> context) {
        cluster.fakeGpus().written(fakeGpu);
        sayWhoStillUses(fakeGpu, publisher.remove(fakeGpu));
        deviceClasses.reconcile(fakeGpu.getSpec().driver());
        boolean gone = simulatedNodes.removeAll(fakeGpu.getMetadata().getName());
        return gone
                ? DeleteControl.defaultDelete()
                : DeleteControl.noFinalizerRemoval().rescheduleAfter(WHILE_PODS_END);
    }

    @Override
    public ErrorStatusUpdateControl<FakeGpu> updateErrorStatus(
            FakeGpu fakeGpu, Context<FakeGpu> context, Exception failure) {
        if (failure instanceof KubernetesClientException e && e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
            return ErrorStatusUpdateControl.noStatusUpdate(); // something changed meanwhile; the retry sees it
        }
        var message = reason(failure);
        var conditions = conditions(fakeGpu);
        conditions.setFalse(Conditions.Type.Published, "PublishFailed", message);
        conditions.setFalse(Conditions.Type.Ready, "PublishFailed", "not published: " + message);
        events.warning(fakeGpu, EventReason.PublishFailed, message);
        return ErrorStatusUpdateControl.patchStatus(
                withStatus(fakeGpu, status(fakeGpu, conditions, faultsSoFar(fakeGpu))));
    }

    /** The API server's own words, without the request and the details that the client wraps around them. */
    private static String reason(Exception failure) {
        if (failure instanceof KubernetesClientException e && e.getStatus() != null) {
            return String.valueOf(e.getStatus().getMessage());
        }
        return String.valueOf(failure.getMessage());
    }

    private void refuse(FakeGpu fakeGpu, List<SpecProblem> problems, Conditions conditions) {
        var sentence = problems.stream().map(SpecProblem::sentence).collect(Collectors.joining("; "));
        conditions.setFalse(Conditions.Type.Accepted, "Invalid", sentence);
        conditions.setFalse(
                Conditions.Type.Ready,
                "NotAccepted",
                "the spec was refused and what was published before stays: " + sentence);
        events.warning(fakeGpu, EventReason.NotAccepted, sentence);
    }

    /** @return whether a simulated node that is too many still waits for its pods to end */
    private boolean publish(FakeGpu fakeGpu, Conditions conditions) {
        var simulated = simulatedNodes.reconcile(fakeGpu);
        deviceClasses.reconcile(fakeGpu.getSpec().driver());
        var result = publisher.publish(fakeGpu, simulated);
        new PublishReport(events, fakeGpu, result, conditions).write();
        if (result.changed()) {
            var totals = StatusTotals.of(
                    fakeGpu, pools.stored(fakeGpu), cluster.claims().list());
            events.normal(
                    fakeGpu,
                    EventReason.Published,
                    "%s devices of %s GPU(s) on %s node(s) are published"
                            .formatted(totals.devices(), totals.gpus(), totals.nodes()));
        }
        return result.leaving();
    }

    private void sayWhoStillUses(FakeGpu fakeGpu, List<String> claims) {
        if (!claims.isEmpty()) {
            events.warning(
                    fakeGpu,
                    EventReason.RemovedWhileInUse,
                    "removed while these claims hold devices of it: " + PublishReport.some(claims));
        }
        cluster.claims().list().stream()
                .filter(claim -> claims.contains(claim.getMetadata().getNamespace() + "/"
                        + claim.getMetadata().getName()))
                .forEach(claim -> events.warning(
                        claim,
                        EventReason.RemovedWhileInUse,
                        "FakeGpu %s was removed, and with it devices that are allocated to this claim"
                                .formatted(fakeGpu.getMetadata().getName())));
    }

    private UpdateControl<FakeGpu> updateStatus(FakeGpu fakeGpu, Conditions conditions, List<TimedFault> faults) {
        var status = status(fakeGpu, conditions, faults);
        if (status.equals(fakeGpu.getStatus())) {
            return UpdateControl.noUpdate();
        }
        return UpdateControl.patchStatus(withStatus(fakeGpu, status));
    }

    /**
     * What is applied: the status of just this version of the object. Without the version the framework would take the answer
     * for the newest state and drop the event of a change in between, a deletion for example; with it that is a conflict.
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

    private static List<TimedFault> faultsSoFar(FakeGpu fakeGpu) {
        return fakeGpu.getStatus() == null ? List.of() : fakeGpu.getStatus().faults();
    }

    private FakeGpuStatus status(FakeGpu fakeGpu, Conditions conditions, List<TimedFault> faults) {
        return new FakeGpuStatus(
                fakeGpu.getMetadata().getGeneration(),
                conditions.list(),
                StatusTotals.of(fakeGpu, pools.stored(fakeGpu), cluster.claims().list()),
                faults);
    }

    private Conditions conditions(FakeGpu fakeGpu) {
        @Nullable FakeGpuStatus status = fakeGpu.getStatus();
        return new Conditions(
                status == null ? List.of() : status.conditions(),
                fakeGpu.getMetadata().getGeneration(),
                clock);
    }
}
