package dev.fakegpu.prepare;

import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import dev.fakegpu.watch.Worker;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
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
    private final PrepareWriter claims;
    private final PodStatusWriter pods;
    private final EventRecorder events;
    private final Backoff backoff;
    private final Worker worker;

    public SimulatedKubelet(
            KubernetesClient client,
            ClusterWatch cluster,
            InventoryPlanner planner,
            EventRecorder events,
            Clock clock) {
        this.cluster = cluster;
        this.planner = planner;
        this.events = events;
        this.claims = new PrepareWriter(client, cluster.claims()::written, clock);
        this.pods = new PodStatusWriter(client, cluster.pods(), clock);
        this.backoff = new Backoff(clock);
        this.worker = new Worker("simulated-kubelet", this::run);
    }

    public void start() {
        cluster.pods().addListener((before, after) -> worker.request());
        cluster.claims().addListener(this::claimChanged);
        cluster.slices().addListener((before, after) -> retryAll());
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

    private static long prepared(ResourceClaim claim) {
        return Allocations.devices(claim).stream()
                .filter(device -> DeviceStatuses.isPrepared(claim, device))
                .count();
    }

    private void retryAll() {
        backoff.allDue();
        worker.request();
    }

    private void run() {
        var ours =
                cluster.pods().list().stream().filter(this::isOnSimulatedNode).toList();
        backoff.retain(ours.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet()));
        // What ends makes room for what starts.
        ours.stream().filter(SimulatedKubelet::ends).forEach(pod -> worker.attempt(pod, () -> end(pod)));
        ours.stream().filter(SimulatedKubelet::waits).forEach(pod -> worker.attempt(pod, () -> begin(pod)));
    }

    private boolean isOnSimulatedNode(Pod pod) {
        var node = pod.getSpec().getNodeName();
        return node != null
                && cluster.nodes().get(null, node).filter(NodeView::isSimulated).isPresent();
    }

    private static boolean waits(Pod pod) {
        return !ends(pod) && "Pending".equals(phase(pod));
    }

    private static boolean ends(Pod pod) {
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
        if (!backoff.isDue(uid)) {
            return;
        }
        var problem = prepare(pod);
        if (problem.isEmpty()) {
            pods.running(pod);
            events.normal(pod, EventReason.Started, "Simulated: the pod seems to run, and no container does");
            return;
        }
        var message = "Failed to prepare dynamic resources: " + problem.get();
        events.warning(pod, EventReason.FailedPrepareDynamicResources, message);
        pods.waiting(pod, message);
        worker.requestIn(backoff.failed(uid));
    }

    /** @return why not, in the kubelet's words */
    private Optional<String> prepare(Pod pod) {
        var podClaims = claimsOf(pod);
        if (!podClaims.waitingFor().isEmpty()) {
            return Optional.of(
                    "prepare dynamic resources: " + podClaims.waitingFor().get(0));
        }
        for (ResourceClaim claim : podClaims.claims()) {
            var problem = notAllowed(pod, claim).or(() -> prepare(pod, claim));
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
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
        return Optional.of("prepare dynamic resources: pod %s (%s) is not allowed to use ResourceClaim %s (%s)"
                .formatted(
                        pod.getMetadata().getName(),
                        pod.getMetadata().getUid(),
                        claim.getMetadata().getName(),
                        claim.getMetadata().getUid()));
    }

    /** NodePrepareResources for one claim, once per claim and not per pod. */
    private Optional<String> prepare(Pod pod, ResourceClaim claim) {
        var node = new NodeView(cluster, planner, pod.getSpec().getNodeName());
        List<DeviceId> devices = Allocations.results(claim).stream()
                .filter(result -> !skipsPreparation(result))
                .map(Allocations::device)
                .distinct()
                .toList();
        if (devices.stream().allMatch(device -> DeviceStatuses.isPrepared(claim, device))) {
            return Optional.empty();
        }
        Function<DeviceId, @Nullable CompatibilityGroups> declared =
                device -> node.declaredGroups(device).orElse(null);
        var result = node.checkFor(ClaimReader.ref(claim))
                .check(ClaimReader.ref(claim), devices, Allocations.consumed(claim));
        if (result.problem().isEmpty()) {
            claims.prepared(claim, result.devices(), declared);
            return Optional.empty();
        }
        claims.failed(claim, devices, result.problem().get(), declared);
        return Optional.of("prepare dynamic resources: NodePrepareResources failed for ResourceClaim %s: %s"
                .formatted(claim.getMetadata().getName(), result.problem().get()));
    }

    /** KEP-5945: the driver has nothing to do for the device. */
    private static boolean skipsPreparation(DeviceRequestAllocationResult result) {
        var skipped = Objects.requireNonNullElse(result.getSkipNodeOperations(), List.<String>of());
        return skipped.contains("*") || skipped.contains("NodePrepareResources");
    }

    /** NodeUnprepareResources for the claims that no other pod of the node uses, then the pod may go. */
    private void end(Pod pod) {
        PodClaims.of(pod, cluster.claims()).claims().stream()
                .filter(claim -> claim.getStatus() != null)
                .filter(claim -> !isUsedByAnother(claim, pod))
                .forEach(claims::unprepared);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            pods.remove(pod);
        }
    }

    private boolean isUsedByAnother(ResourceClaim claim, Pod pod) {
        return claim.getStatus().getReservedFor().stream()
                .filter(consumer -> !consumer.getUid().equals(pod.getMetadata().getUid()))
                .flatMap(
                        consumer -> cluster.pods().get(claim.getMetadata().getNamespace(), consumer.getName()).stream())
                .anyMatch(other -> "Running".equals(phase(other)) && !ends(other));
    }
}
