package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.cluster.fit.NodeAdmission.Rejection;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.RetryBackoff;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays the kubelet for the pods of simulated nodes, and for pods with claims on nodes of KWOK: calls the driver to prepare their claims,
 * reports the pods as Running or why they cannot start, retries, and unprepares the claims when the pods terminate.
 */
public final class SimulatedKubelet implements AutoCloseable {

    /** The order in which a kubelet admits pods that it sees at once ({@code PodsByCreationTime}). Later objects have longer or larger versions. */
    private static final Comparator<Pod> OLDEST_FIRST = Comparator.<Pod, String>comparing(
                    pod -> Objects.requireNonNullElse(pod.getMetadata().getCreationTimestamp(), ""))
            .thenComparingInt(pod -> pod.getMetadata().getResourceVersion().length())
            .thenComparing(pod -> pod.getMetadata().getResourceVersion());

    /** After this many pods have ended, pods that have become pending in the meantime are started. */
    private static final int ENDINGS_IN_A_ROW = 10;

    private final ObjectStores cluster;
    private final NodeSnapshots nodes;
    private final SimulatedDriver driver;
    private final PodPreparer preparer;
    private final PodAdmission admission;
    private final EarlyPods earlyPods;
    private final PodStatusWriter statuses;
    private final EventRecorder events;
    private final RetryBackoff prepareBackoff;
    private final RetryBackoff unprepareBackoff;
    private final StartDelay startDelay;

    /** By UID, the version of each pod that was removed but still exists because it has finalizers. Only the worker uses it. */
    private final Map<String, String> removed = new HashMap<>();

    private final CoalescingWorker worker;
    private final PodHealthReporter healthReporter;
    private final ObjectStore.Index<PodStage, Pod> podsByStage;

    /**
     * Determines when things happen.
     *
     * @param yieldPolicy whether pods start later because the companion, which runs in this process, is busy with their namespace
     */
    public record Timing(Clock clock, Ticker ticker, YieldPolicy yieldPolicy, TaskExecutors executors) {}

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
        Ticker ticker = timing.ticker();
        this.nodes = nodes;
        this.cluster = cluster;
        this.events = events;
        this.driver = new SimulatedDriver(client, cluster, nodes, events, listener, timing);
        this.admission = new PodAdmission(cluster, node -> Optional.ofNullable(client.get(node)));
        this.preparer = new PodPreparer(client, cluster, driver);
        this.statuses = new PodStatusWriter(client, cluster.pods(), timing.clock());
        this.prepareBackoff = new RetryBackoff(ticker);
        this.unprepareBackoff = new RetryBackoff(ticker);
        this.startDelay = new StartDelay(timing.yieldPolicy(), ticker, cluster.nodes());
        this.worker = new CoalescingWorker("simulated-kubelet", this::syncPods, timing.executors());
        this.healthReporter = new PodHealthReporter(cluster, nodes, statuses, events, worker, ticker);
        this.podsByStage = cluster.pods().index(PodStage::index);
        this.earlyPods = new EarlyPods(cluster.pods(), podsByStage);
    }

    public void start() {
        cluster.pods().addListener((before, after) -> {
            earlyPods.podChanged(before, after);
            worker.request();
        });
        // Informers are independent of each other: a pod may arrive before its node or its FakeGpu does.
        cluster.nodes().addListener(this::nodeChanged);
        cluster.claims().addListener(this::claimChanged);
        cluster.slices().addListener(this::sliceChanged);
        cluster.fakeGpus().addListener(this::fakeGpuChanged);
        worker.request();
    }

    @Override
    public void close() {
        worker.close();
    }

    private void nodeChanged(@Nullable Node before, @Nullable Node after) {
        if (after != null && KwokNode.isKept(after) && (before == null || !KwokNode.isKept(before))) {
            earlyPods.recheck();
            worker.request();
        } else if (before == null || (after != null && isFaster(before, after))) {
            worker.request();
        }
    }

    private static boolean isFaster(Node before, Node after) {
        return !NodeSnapshots.isReachable(before)
                || !StartDelay.annotation(before).equals(StartDelay.annotation(after));
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
        if (before == null && after != null && nodes.isPreparationSimulated(after)) {
            earlyPods.recheck();
        }
        retryAll();
    }

    private void fakeGpuChanged(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (before == null || !SimulatedDriver.faultsOf(before).equals(SimulatedDriver.faultsOf(after))) {
            retryAll();
        }
        if (after != null && isPreparationSimulated(after) && (before == null || !isPreparationSimulated(before))) {
            earlyPods.recheck();
            worker.request();
        }
    }

    private static boolean isPreparationSimulated(FakeGpu fakeGpu) {
        return fakeGpu.getSpec().nodes().isPreparationSimulated();
    }

    private void retryAll() {
        prepareBackoff.retryAllNow();
        unprepareBackoff.retryAllNow();
        worker.request();
    }

    /** Makes one pass over the pods of simulated nodes. Running pods are skipped unless the health of devices changed. */
    private void syncPods() {
        var ended = podsOn(PodStage.ENDED);
        var pending = podsOn(PodStage.PENDING);
        var early = earlyPods.list();
        unprepareBackoff.retain(uids(ended));
        removed.keySet().retainAll(uids(ended));
        prepareBackoff.retain(
                Stream.of(pending, early).flatMap(pods -> uids(pods).stream()).collect(Collectors.toSet()));
        startDelay.retain(uids(pending));
        admission.retain(uids(pending));
        driver.forgetGone();
        // Terminating pods come first, since other pods may need their devices.
        end(ended.stream().filter(this::isToBeEnded).toList());
        startPending(podsOn(PodStage.PENDING));
        early.forEach(pod -> worker.attempt(pod, () -> prepareLateOrExplain(pod)));
        healthReporter.report(() -> podsOn(PodStage.RUNNING));
    }

    /** Removes each version once, with back-off: removing the same version again has no effect. */
    private boolean isToBeEnded(Pod pod) {
        var metadata = pod.getMetadata();
        return unprepareBackoff.isDue(metadata.getUid())
                && !metadata.getResourceVersion().equals(removed.get(metadata.getUid()));
    }

    private void end(List<Pod> ended) {
        for (int i = 0; i < ended.size(); i++) {
            Pod pod = ended.get(i);
            worker.attempt(pod, () -> terminateOrExplain(pod));
            if (i % ENDINGS_IN_A_ROW == ENDINGS_IN_A_ROW - 1) {
                startPending(podsOn(PodStage.PENDING));
            }
        }
    }

    private List<Pod> podsOn(PodStage stage) {
        return podsByStage.get(stage).stream().filter(nodes::runs).toList();
    }

    private static Set<String> uids(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private void startPending(List<Pod> pending) {
        Optional<Duration> again = Optional.empty();
        for (Pod pod : pending.stream().sorted(OLDEST_FIRST).toList()) {
            Duration delay = startDelay.remaining(pod);
            if (delay.isZero()) {
                stillPending(pod).ifPresent(stored -> worker.attempt(stored, () -> startOrExplain(stored)));
            } else if (again.filter(next -> next.compareTo(delay) <= 0).isEmpty()) {
                again = Optional.of(delay);
            }
        }
        again.ifPresent(worker::requestIn);
    }

    private void terminateOrExplain(Pod pod) {
        try {
            terminate(pod);
        } catch (KubernetesClientException e) {
            refused(pod, EventReason.FailedUnprepareDynamicResources, unprepareBackoff, e);
        }
    }

    private void prepareLateOrExplain(Pod pod) {
        try {
            prepareLate(pod);
        } catch (KubernetesClientException e) {
            refused(pod, EventReason.FailedPrepareDynamicResources, prepareBackoff, e);
        }
    }

    private void startOrExplain(Pod pod) {
        try {
            start(pod);
        } catch (KubernetesClientException e) {
            refused(pod, EventReason.FailedPrepareDynamicResources, prepareBackoff, e);
        }
    }

    /** Tells the pod's user and retries with back-off, because the API server would refuse the same request again. */
    private void refused(Pod pod, EventReason reason, RetryBackoff backoff, KubernetesClientException e) {
        if (!Refusals.isRefusal(e)) {
            throw e;
        }
        events.warning(pod, reason, "the API server refuses a request, which is tried again: " + Refusals.message(e));
        worker.requestIn(backoff.failed(pod.getMetadata().getUid()));
    }

    /** Returns the latest version of the pod, which may have been deleted or replaced while this pass handled other pods. */
    private Optional<Pod> stillPending(Pod pod) {
        return cluster.pods()
                .get(pod.getMetadata().getNamespace(), pod.getMetadata().getName())
                .filter(stored ->
                        stored.getMetadata().getUid().equals(pod.getMetadata().getUid()))
                .filter(stored -> PodStage.of(stored) == PodStage.PENDING);
    }

    private void start(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!prepareBackoff.isDue(uid)) {
            return;
        }
        // KWOK admits the pods of its nodes, and does not check them.
        var rejection = nodes.runsBesideKwok(pod) ? Optional.<Rejection>empty() : admission.rejection(pod);
        if (rejection.isPresent()) {
            reject(pod, rejection.get());
            return;
        }
        var progress = preparer.prepare(pod);
        if (progress instanceof PreparationProgress.Failed failed) {
            statuses.containerCreating(pod, failedToPrepare(pod, failed));
            worker.requestIn(prepareBackoff.failed(uid));
        } else if (progress instanceof PreparationProgress.Waiting waiting) {
            worker.requestIn(waiting.remaining());
        } else {
            statuses.running(pod, healthReporter.healthOf(pod));
            events.withdraw(uid, EventReason.FailedPrepareDynamicResources);
            events.normal(pod, EventReason.Started, "Simulated: the pod seems to run, and no container does");
        }
    }

    private void reject(Pod pod, Rejection rejection) {
        statuses.rejected(pod, rejection);
        events.warning(pod, new EventRecorder.Message(EventReason.Rejected, rejection.message(), rejection.reason()));
    }

    /** @return the message of the kubelet */
    private String failedToPrepare(Pod pod, PreparationProgress.Failed failed) {
        var message = "Failed to prepare dynamic resources: prepare dynamic resources: " + failed.problem();
        events.warning(pod, EventReason.FailedPrepareDynamicResources, message);
        return message;
    }

    /** Prepares the claims of a pod that something else has set to Running, so that a failure shows only in its events and claims. */
    private void prepareLate(Pod pod) {
        if (!nodes.runsBesideKwok(pod)) {
            earlyPods.checked(pod);
        } else if (prepareBackoff.isDue(pod.getMetadata().getUid())) {
            var progress = preparer.prepare(pod);
            if (progress instanceof PreparationProgress.Failed failed) {
                failedToPrepare(pod, failed);
                worker.requestIn(prepareBackoff.failed(pod.getMetadata().getUid()));
            } else if (progress instanceof PreparationProgress.Waiting waiting) {
                worker.requestIn(waiting.remaining());
            } else {
                earlyPods.checked(pod);
                events.withdraw(pod.getMetadata().getUid(), EventReason.FailedPrepareDynamicResources);
            }
        }
    }

    /** Unprepares claims that no other pod uses, then removes the pod if it is being deleted. */
    private void terminate(Pod pod) {
        String uid = pod.getMetadata().getUid();
        var progress = preparer.unprepare(pod);
        if (progress instanceof PreparationProgress.Failed failed) {
            events.warning(
                    pod,
                    EventReason.FailedUnprepareDynamicResources,
                    "Failed to unprepare dynamic resources: " + failed.problem());
            worker.requestIn(unprepareBackoff.failed(uid));
        } else if (progress instanceof PreparationProgress.Waiting waiting) {
            worker.requestIn(waiting.remaining());
        } else if (pod.getMetadata().getDeletionTimestamp() == null) {
            return;
        } else if (!pod.getMetadata().getFinalizers().isEmpty() && !PodState.hasEnded(pod)) {
            statuses.failed(pod); // which the owner of a finalizer may wait for, as a Job does
            worker.requestIn(Duration.ZERO);
        } else {
            statuses.remove(pod);
            removed.put(uid, pod.getMetadata().getResourceVersion());
            if (!pod.getMetadata().getFinalizers().isEmpty()) {
                worker.requestIn(unprepareBackoff.failed(uid));
            }
        }
    }
}
