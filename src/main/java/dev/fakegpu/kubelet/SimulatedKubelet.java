package dev.fakegpu.kubelet;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.client.ObjectClient;
import dev.fakegpu.client.Refusals;
import dev.fakegpu.client.UnreadableFields;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.YieldPolicy;
import dev.fakegpu.watch.ObjectStore;
import dev.fakegpu.watch.ObjectStores;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays the kubelet for the pods of simulated nodes: has the driver prepare their claims, reports the pods as Running or why they cannot
 * start, retries, and has the claims unprepared when the pods terminate. The checks are in the kubelet's order and have its messages
 * ({@code pkg/kubelet/cm/dra/manager.go}).
 */
public final class SimulatedKubelet implements AutoCloseable {

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final NodeSnapshots nodes;
    private final SimulatedDriver driver;
    private final PodStatusWriter statuses;
    private final EventRecorder events;
    private final RetryBackoff prepareBackoff;
    private final RetryBackoff unprepareBackoff;
    private final StartDelay startDelay;
    private final CoalescingWorker worker;
    private final PodHealthReporter healthReporter;
    private final ObjectStore.Index<Stage, Pod> podsByStage;

    /** How far a pod is that has a node. */
    private enum Stage {
        PENDING,
        RUNNING,
        ENDED
    }

    /**
     * When things are done.
     *
     * @param yieldPolicy whether pods start later because the companion, which shares this process, is busy with their namespace
     */
    public record Timing(Clock clock, YieldPolicy yieldPolicy, TaskExecutors executors) {}

    public SimulatedKubelet(
            ObjectClient client, ObjectStores cluster, NodeSnapshots nodes, EventRecorder events, Timing timing) {
        this(client, cluster, nodes, events, timing, DriverListener.NONE);
    }

    public SimulatedKubelet(
            ObjectClient client,
            ObjectStores cluster,
            NodeSnapshots nodes,
            EventRecorder events,
            Timing timing,
            DriverListener listener) {
        Clock clock = timing.clock();
        this.nodes = nodes;
        this.client = client;
        this.cluster = cluster;
        this.events = events;
        this.driver = new SimulatedDriver(client, cluster, nodes, events, listener, clock);
        this.statuses = new PodStatusWriter(client, cluster.pods(), clock);
        this.prepareBackoff = new RetryBackoff(clock);
        this.unprepareBackoff = new RetryBackoff(clock);
        this.startDelay = new StartDelay(timing.yieldPolicy());
        this.worker = new CoalescingWorker("simulated-kubelet", this::syncPods, timing.executors());
        this.healthReporter = new PodHealthReporter(cluster, nodes, statuses, worker);
        this.podsByStage = cluster.pods().index(SimulatedKubelet::stages);
    }

    public void start() {
        cluster.pods().addListener((before, after) -> worker.request());
        // Informers are independent of each other: a pod may be known before its node or its FakeGpu is.
        cluster.nodes().addListener((before, after) -> {
            if (before == null) {
                worker.request();
            }
        });
        cluster.claims().addListener(this::claimChanged);
        cluster.slices().addListener(this::sliceChanged);
        cluster.fakeGpus().addListener(this::fakeGpuChanged);
        worker.request();
    }

    @Override
    public void close() {
        worker.close();
    }

    private void claimChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        if (before != null
                && SimulatedDriver.countPrepared(before) > (after == null ? 0 : SimulatedDriver.countPrepared(after))) {
            retryAll();
        } else {
            worker.request();
        }
    }

    private void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        healthReporter.sliceChanged(before, after);
        retryAll();
    }

    private void fakeGpuChanged(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (before == null || !SimulatedDriver.faultsOf(before).equals(SimulatedDriver.faultsOf(after))) {
            retryAll();
        }
    }

    private void retryAll() {
        prepareBackoff.retryAllNow();
        unprepareBackoff.retryAllNow();
        worker.request();
    }

    /** One pass over the pods of simulated nodes. Those that run need no look at each of them, unless the health of devices changed. */
    private void syncPods() {
        var ended = podsOn(Stage.ENDED);
        var pending = podsOn(Stage.PENDING);
        unprepareBackoff.retain(uids(ended));
        prepareBackoff.retain(uids(pending));
        startDelay.retain(uids(pending));
        driver.forgetGone();
        // Terminating pods come first: others may need the devices that they release.
        ended.forEach(pod -> worker.attempt(pod, () -> terminateOrExplain(pod)));
        startPending(pending);
        healthReporter.report(() -> podsOn(Stage.RUNNING));
    }

    private List<Pod> podsOn(Stage stage) {
        return podsByStage.get(stage).stream().filter(this::isOnSimulatedNode).toList();
    }

    private static Set<String> uids(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private static Set<Stage> stages(Pod pod) {
        if (pod.getSpec() == null || pod.getSpec().getNodeName() == null) {
            return Set.of();
        }
        return hasEnded(pod)
                ? Set.of(Stage.ENDED)
                : switch (phase(pod)) {
                    case "Pending" -> Set.of(Stage.PENDING);
                    case "Running" -> Set.of(Stage.RUNNING);
                    default -> Set.of();
                };
    }

    private void startPending(List<Pod> pending) {
        boolean delayed = false;
        for (Pod pod : pending) {
            if (startDelay.delays(pod)) {
                delayed = true;
            } else {
                stillPending(pod).ifPresent(stored -> worker.attempt(stored, () -> startOrExplain(stored)));
            }
        }
        if (delayed) {
            worker.requestIn(YieldPolicy.RECHECK_INTERVAL);
        }
    }

    private void terminateOrExplain(Pod pod) {
        try {
            terminate(pod);
        } catch (KubernetesClientException e) {
            refused(pod, EventReason.FailedUnprepareDynamicResources, unprepareBackoff, e);
        }
    }

    private void startOrExplain(Pod pod) {
        try {
            start(pod);
        } catch (KubernetesClientException e) {
            refused(pod, EventReason.FailedPrepareDynamicResources, prepareBackoff, e);
        }
    }

    /** What the API server refuses once it refuses again, so the pod's user is told, and it is tried again with back-off. */
    private void refused(Pod pod, EventReason reason, RetryBackoff backoff, KubernetesClientException e) {
        if (!Refusals.isRefusal(e)) {
            throw e;
        }
        events.warning(
                pod, reason, "the API server refuses to store a status, which is tried again: " + Refusals.message(e));
        worker.requestIn(backoff.failed(pod.getMetadata().getUid()));
    }

    /** The newest version of the pod: it may have been deleted or replaced while this pass worked on other pods. */
    private Optional<Pod> stillPending(Pod pod) {
        return cluster.pods()
                .get(pod.getMetadata().getNamespace(), pod.getMetadata().getName())
                .filter(stored ->
                        stored.getMetadata().getUid().equals(pod.getMetadata().getUid()))
                .filter(SimulatedKubelet::isPending);
    }

    private boolean isOnSimulatedNode(Pod pod) {
        var node = pod.getSpec().getNodeName();
        return node != null
                && cluster.nodes().get(null, node).filter(nodes::isSimulated).isPresent();
    }

    private static boolean isPending(Pod pod) {
        return !hasEnded(pod) && "Pending".equals(phase(pod));
    }

    private static boolean hasEnded(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null
                || Set.of("Succeeded", "Failed").contains(phase(pod));
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null
                ? "Pending"
                : Objects.requireNonNullElse(pod.getStatus().getPhase(), "Pending");
    }

    private void start(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!prepareBackoff.isDue(uid)) {
            return;
        }
        var progress = prepare(pod);
        if (progress instanceof PreparationProgress.Failed failed) {
            var message = "Failed to prepare dynamic resources: prepare dynamic resources: " + failed.problem();
            events.warning(pod, EventReason.FailedPrepareDynamicResources, message);
            statuses.containerCreating(pod, message);
            worker.requestIn(prepareBackoff.failed(uid));
        } else if (progress instanceof PreparationProgress.Waiting waiting) {
            worker.requestIn(waiting.remaining());
        } else {
            statuses.running(pod, healthReporter.healthOf(pod));
            events.withdraw(uid, EventReason.FailedPrepareDynamicResources);
            events.normal(pod, EventReason.Started, "Simulated: the pod seems to run, and no container does");
        }
    }

    private PreparationProgress prepare(Pod pod) {
        var unreadable = UnreadableFields.of(pod);
        if (unreadable.isPresent()) {
            return new PreparationProgress.Failed(unreadable.get());
        }
        var podClaims = claimsOf(pod);
        if (!podClaims.waitingFor().isEmpty()) {
            return new PreparationProgress.Failed(podClaims.waitingFor().get(0));
        }
        for (ResourceClaim claim : podClaims.claims()) {
            var problem = unreadable(claim).or(() -> notAllowed(pod, claim));
            var progress = problem.isPresent()
                    ? new PreparationProgress.Failed(problem.get())
                    : PreparationProgress.of(
                            "NodePrepareResources", claim.getMetadata().getName(), driver.prepare(pod, claim));
            if (!(progress instanceof PreparationProgress.Done)) {
                return progress;
            }
        }
        return new PreparationProgress.Done();
    }

    /** Like the kubelet, queries the API server before rejecting: the watch on claims may lag behind the watch on pods. */
    private PodClaims claimsOf(Pod pod) {
        var known = PodClaims.of(pod, cluster.claims());
        if (known.areUsableBy(pod)) {
            return known;
        }
        PodClaims.names(pod).forEach(name -> refresh(pod.getMetadata().getNamespace(), name));
        return PodClaims.of(pod, cluster.claims());
    }

    private void refresh(String namespace, String name) {
        var claim = client.get(new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build());
        if (claim != null) {
            cluster.claims().written(claim);
        }
    }

    private static Optional<String> unreadable(ResourceClaim claim) {
        return UnreadableFields.of(claim)
                .map(fields ->
                        "ResourceClaim %s: %s".formatted(claim.getMetadata().getName(), fields));
    }

    private static Optional<String> notAllowed(Pod pod, ResourceClaim claim) {
        if (Allocations.isAllocated(claim) && PodClaims.isReservedFor(claim, pod)) {
            return Optional.empty();
        }
        return Optional.of("pod %s (%s) is not allowed to use ResourceClaim %s (%s)"
                .formatted(
                        pod.getMetadata().getName(),
                        pod.getMetadata().getUid(),
                        claim.getMetadata().getName(),
                        claim.getMetadata().getUid()));
    }

    /** Unprepares the claims that no other pod uses, then removes the pod if it is being deleted. */
    private void terminate(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!unprepareBackoff.isDue(uid)) {
            return;
        }
        var progress = unprepare(pod);
        if (progress instanceof PreparationProgress.Failed failed) {
            events.warning(
                    pod,
                    EventReason.FailedUnprepareDynamicResources,
                    "Failed to unprepare dynamic resources: " + failed.problem());
            worker.requestIn(unprepareBackoff.failed(uid));
        } else if (progress instanceof PreparationProgress.Waiting waiting) {
            worker.requestIn(waiting.remaining());
        } else if (pod.getMetadata().getDeletionTimestamp() != null) {
            statuses.remove(pod);
        }
    }

    private PreparationProgress unprepare(Pod pod) {
        for (ResourceClaim claim : PodClaims.of(pod, cluster.claims()).claims()) {
            var unreadable = unreadable(claim);
            if (unreadable.isPresent()) {
                return new PreparationProgress.Failed(unreadable.get());
            }
            if (claim.getStatus() != null
                    && SimulatedDriver.countPrepared(claim) > 0
                    && !isUsedByAnotherPod(claim, pod)) {
                var progress = PreparationProgress.of(
                        "NodeUnprepareResources", claim.getMetadata().getName(), driver.unprepare(pod, claim));
                if (!(progress instanceof PreparationProgress.Done)) {
                    return progress;
                }
            }
        }
        return new PreparationProgress.Done();
    }

    private boolean isUsedByAnotherPod(ResourceClaim claim, Pod pod) {
        return claim.getStatus().getReservedFor().stream()
                .filter(consumer -> !consumer.getUid().equals(pod.getMetadata().getUid()))
                .flatMap(
                        consumer -> cluster.pods().get(claim.getMetadata().getNamespace(), consumer.getName()).stream())
                .anyMatch(other -> "Running".equals(phase(other)) && !hasEnded(other));
    }
}
