package dev.fakegpu.prepare;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.CoalescingWorker;
import dev.fakegpu.watch.DecisionPriority;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plays the kubelet for the pods of simulated nodes: prepares their claims, lets them run or says why they cannot, retries, and
 * unprepares when they end. The order of checks and the words are those of the kubelet ({@code pkg/kubelet/cm/dra/manager.go}).
 */
public final class SimulatedKubelet implements AutoCloseable {

    private final ClusterWatch cluster;
    private final InventoryPlanner planner;
    private final DeviceStatusWriter claims;
    private final PodStatusWriter pods;
    private final EventRecorder events;
    private final PreparationBackoff starts;
    private final PreparationBackoff ends;
    private final StartDelay deferral;
    private final FaultInjector faults;
    private final CoalescingWorker worker;
    private final PodHealthReporter healths;

    /** @param precedence of the companion, with which this shares a process */
    public SimulatedKubelet(
            KubernetesClient client,
            ClusterWatch cluster,
            InventoryPlanner planner,
            EventRecorder events,
            DecisionPriority precedence,
            Clock clock) {
        this.cluster = cluster;
        this.planner = planner;
        this.events = events;
        this.claims = new DeviceStatusWriter(client, cluster.claims()::written, clock);
        this.pods = new PodStatusWriter(client, cluster.pods(), clock);
        this.starts = new PreparationBackoff(clock);
        this.ends = new PreparationBackoff(clock);
        this.deferral = new StartDelay(precedence);
        this.faults = new FaultInjector(clock);
        this.worker = new CoalescingWorker("simulated-kubelet", this::run);
        this.healths = new PodHealthReporter(cluster, planner, pods, worker);
    }

    public void start() {
        cluster.pods().addListener((before, after) -> worker.request());
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
        if (before != null && prepared(before) > (after == null ? 0 : prepared(after))) {
            retryAll();
        } else {
            worker.request();
        }
    }

    private void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        healths.changed(before, after);
        retryAll();
    }

    private void fakeGpuChanged(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (!faultsOf(before).equals(faultsOf(after))) {
            retryAll();
        }
    }

    private static List<FaultSpec> faultsOf(@Nullable FakeGpu fakeGpu) {
        return fakeGpu == null ? List.of() : fakeGpu.getSpec().faults();
    }

    private static long prepared(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .map(Allocations::device)
                .filter(device -> DeviceStatuses.isPrepared(claim, device))
                .count();
    }

    private void retryAll() {
        starts.allDue();
        ends.allDue();
        worker.request();
    }

    private void run() {
        var ours =
                cluster.pods().list().stream().filter(this::isOnSimulatedNode).toList();
        var uids = ours.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
        starts.retain(uids);
        ends.retain(uids);
        deferral.retain(uids);
        forgetFaults();
        // What ends makes room for what starts.
        ours.stream().filter(SimulatedKubelet::hasEnded).forEach(pod -> worker.attempt(pod, () -> end(pod)));
        beginAll(ours.stream().filter(SimulatedKubelet::waits).toList());
        healths.say(ours.stream()
                .filter(pod -> "Running".equals(phase(pod)) && !hasEnded(pod))
                .toList());
    }

    private void beginAll(List<Pod> waiting) {
        boolean deferred = false;
        for (Pod pod : waiting) {
            if (deferral.defers(pod.getMetadata().getUid())) {
                deferred = true;
            } else {
                newest(pod).ifPresent(stored -> worker.attempt(stored, () -> begin(stored)));
            }
        }
        if (deferred) {
            worker.requestIn(DecisionPriority.BETWEEN_LOOKS);
        }
    }

    /** What comes before it in a run takes its time; meanwhile it may be gone, or another one. */
    private Optional<Pod> newest(Pod pod) {
        return cluster.pods()
                .get(pod.getMetadata().getNamespace(), pod.getMetadata().getName())
                .filter(stored ->
                        stored.getMetadata().getUid().equals(pod.getMetadata().getUid()))
                .filter(SimulatedKubelet::waits);
    }

    private void forgetFaults() {
        var injected = cluster.fakeGpus().list().stream()
                .flatMap(fakeGpu -> faultsOf(fakeGpu).stream()
                        .map(fault -> new InjectedFault(fakeGpu.getMetadata().getUid(), fault)))
                .collect(Collectors.toSet());
        faults.retain(
                injected,
                cluster.claims().list().stream()
                        .map(claim -> claim.getMetadata().getUid())
                        .collect(Collectors.toSet()));
    }

    private boolean isOnSimulatedNode(Pod pod) {
        var node = pod.getSpec().getNodeName();
        return node != null
                && cluster.nodes()
                        .get(null, node)
                        .filter(NodeSnapshot::isSimulated)
                        .isPresent();
    }

    private static boolean waits(Pod pod) {
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

    private void begin(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!starts.isDue(uid)) {
            return;
        }
        var progress = prepare(pod);
        if (progress instanceof PreparationProgress.Failed failed) {
            var message = "Failed to prepare dynamic resources: prepare dynamic resources: " + failed.problem();
            events.warning(pod, EventReason.FailedPrepareDynamicResources, message);
            pods.waiting(pod, message);
            worker.requestIn(starts.failed(uid));
        } else if (progress instanceof PreparationProgress.Waiting waiting) {
            worker.requestIn(waiting.remaining());
        } else {
            pods.running(pod, healths.of(pod));
            events.normal(pod, EventReason.Started, "Simulated: the pod seems to run, and no container does");
        }
    }

    private PreparationProgress prepare(Pod pod) {
        var podClaims = claimsOf(pod);
        if (!podClaims.waitingFor().isEmpty()) {
            return new PreparationProgress.Failed(podClaims.waitingFor().get(0));
        }
        for (ResourceClaim claim : podClaims.claims()) {
            var problem = notAllowed(pod, claim);
            var progress = problem.isPresent() ? new PreparationProgress.Failed(problem.get()) : prepare(pod, claim);
            if (!(progress instanceof PreparationProgress.Done)) {
                return progress;
            }
        }
        return new PreparationProgress.Done();
    }

    /** Asks the API server before anything is refused, as the kubelet does: the watch on claims may be behind that on pods. */
    private PodClaims claimsOf(Pod pod) {
        var known = PodClaims.of(pod, cluster.claims());
        if (known.areUsableBy(pod)) {
            return known;
        }
        PodClaims.names(pod).forEach(name -> claims.refresh(pod.getMetadata().getNamespace(), name));
        return PodClaims.of(pod, cluster.claims());
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

    /** NodePrepareResources for one claim, once per claim and not per pod. */
    private PreparationProgress prepare(Pod pod, ResourceClaim claim) {
        var results = Allocations.results(claim).stream()
                .filter(result -> !skipsPreparation(result))
                .toList();
        List<DeviceId> devices =
                results.stream().map(Allocations::device).distinct().toList();
        if (devices.stream().allMatch(device -> DeviceStatuses.isPrepared(claim, device))) {
            return new PreparationProgress.Done();
        }
        var node = nodeOf(pod);
        var answer =
                faults.call(Operation.Prepare, ClaimReader.ref(claim), node.faults(Operation.Prepare, claim, devices));
        if (answer instanceof FaultOutcome.Unharmed) {
            answer = prepare(node, claim, results, devices, null);
        } else if (answer instanceof FaultOutcome.WrongDevices wrong) {
            answer = prepare(node, claim, results, devices, wrong.fault());
            sayWrongDevices(pod, claim);
        } else if (answer instanceof FaultOutcome.Refused refused) {
            claims.failed(claim, devices, refused.problem(), declaredOn(node));
        }
        return PreparationProgress.of(
                "NodePrepareResources", claim.getMetadata().getName(), answer);
    }

    /** What the driver does, whose answer the hardware gives. */
    private FaultOutcome prepare(
            NodeSnapshot node,
            ResourceClaim claim,
            List<DeviceRequestAllocationResult> results,
            List<DeviceId> devices,
            @Nullable String wrongDevices) {
        var check = node.checkFor(claim);
        var checked = check.check(claim, results);
        var result = wrongDevices == null ? checked : check.withWrongDevices(checked, wrongDevices);
        if (result.problem().isEmpty()) {
            claims.prepared(claim, result, declaredOn(node));
            return new FaultOutcome.Unharmed();
        }
        claims.failed(claim, devices, result.problem().get(), declaredOn(node));
        return new FaultOutcome.Refused(result.problem().get());
    }

    /** A kubelet takes what it is told; without the event nobody would know. */
    private void sayWrongDevices(Pod pod, ResourceClaim claim) {
        cluster.claims()
                .get(claim.getMetadata().getNamespace(), claim.getMetadata().getName())
                .ifPresent(stored -> DeviceStatuses.otherDevices(stored)
                        .forEach((device, message) -> events.warning(
                                pod,
                                EventReason.InjectedFault,
                                "ResourceClaim %s, device %s: %s"
                                        .formatted(claim.getMetadata().getName(), device, message))));
    }

    private NodeSnapshot nodeOf(Pod pod) {
        return new NodeSnapshot(cluster, planner, pod.getSpec().getNodeName());
    }

    private static Function<DeviceId, @Nullable CompatibilityGroups> declaredOn(NodeSnapshot node) {
        return device -> node.declaredGroups(device).orElse(null);
    }

    /** KEP-5945: the driver has nothing to do for the device. */
    private static boolean skipsPreparation(DeviceRequestAllocationResult result) {
        var skipped = Objects.requireNonNullElse(result.getSkipNodeOperations(), List.<String>of());
        return skipped.contains("*") || skipped.contains("NodePrepareResources");
    }

    /** NodeUnprepareResources for the claims that no other pod of the node uses, then the pod may go. */
    private void end(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!ends.isDue(uid)) {
            return;
        }
        var progress = unprepare(pod);
        if (progress instanceof PreparationProgress.Failed failed) {
            events.warning(
                    pod,
                    EventReason.FailedUnprepareDynamicResources,
                    "Failed to unprepare dynamic resources: " + failed.problem());
            worker.requestIn(ends.failed(uid));
        } else if (progress instanceof PreparationProgress.Waiting waiting) {
            worker.requestIn(waiting.remaining());
        } else if (pod.getMetadata().getDeletionTimestamp() != null) {
            pods.remove(pod);
        }
    }

    private PreparationProgress unprepare(Pod pod) {
        for (ResourceClaim claim : PodClaims.of(pod, cluster.claims()).claims()) {
            if (claim.getStatus() != null && prepared(claim) > 0 && !isUsedByAnother(claim, pod)) {
                var progress = unprepare(pod, claim);
                if (!(progress instanceof PreparationProgress.Done)) {
                    return progress;
                }
            }
        }
        return new PreparationProgress.Done();
    }

    private PreparationProgress unprepare(Pod pod, ResourceClaim claim) {
        var devices = Allocations.devices(claim);
        var answer = faults.call(
                Operation.Unprepare, ClaimReader.ref(claim), nodeOf(pod).faults(Operation.Unprepare, claim, devices));
        if (answer instanceof FaultOutcome.Unharmed) {
            claims.unprepared(claim);
        } else if (answer instanceof FaultOutcome.Refused refused) {
            claims.notUnprepared(claim, devices, refused.problem());
        }
        return PreparationProgress.of(
                "NodeUnprepareResources", claim.getMetadata().getName(), answer);
    }

    private boolean isUsedByAnother(ResourceClaim claim, Pod pod) {
        return claim.getStatus().getReservedFor().stream()
                .filter(consumer -> !consumer.getUid().equals(pod.getMetadata().getUid()))
                .flatMap(
                        consumer -> cluster.pods().get(claim.getMetadata().getNamespace(), consumer.getName()).stream())
                .anyMatch(other -> "Running".equals(phase(other)) && !hasEnded(other));
    }
}
