package dev.fakegpu.simulate;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.NodeAdmission;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.NotPreparable;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.ResultRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import dev.fakegpu.util.NaturalOrder;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads pods, claims and FakeGpus once, and the reasons why they wait. */
final class ViewReader {

    /** The reasons for waiting that the cluster itself knows. */
    interface Reasons {

        /** Whether a known scheduler schedules the pod. */
        boolean include(Pod pod);

        /** Why a pod or claim waits; empty if it is not known. */
        Optional<Waiting> of(HasMetadata object);
    }

    private static final Comparator<HasMetadata> BY_NAME = Comparator.comparing(
                    (HasMetadata object) -> object.getMetadata().getNamespace())
            .thenComparing(object -> object.getMetadata().getName(), NaturalOrder.OF_NAMES);

    private final Collection<HasMetadata> objects;
    private final Reasons reasons;
    private final ClusterObjects nodes;
    private final NotPreparable notPreparable;

    /** Numbers the shares of each device, since their IDs are random. */
    private final Map<String, Integer> shares = new HashMap<>();

    ViewReader(Collection<HasMetadata> objects, Reasons reasons) {
        this.objects = objects;
        this.reasons = reasons;
        nodes = ClusterObjects.of(objects.stream()
                .filter(object -> object instanceof Node || object instanceof FakeGpu)
                .toList());
        notPreparable = new NotPreparable(nodes);
        var counts = new HashMap<DeviceId, Integer>();
        all(ResourceClaim.class)
                .sorted(BY_NAME)
                .flatMap(claim -> Allocations.results(claim).stream())
                .filter(result -> result.getShareID() != null)
                .forEach(result ->
                        shares.put(result.getShareID(), counts.merge(Allocations.device(result), 1, Integer::sum)));
    }

    ClusterView read() {
        return new ClusterView(
                all(ResourceClaim.class).sorted(BY_NAME).map(this::claim).toList(),
                all(Pod.class).sorted(BY_NAME).map(this::pod).toList(),
                all(FakeGpu.class).flatMap(fakeGpu -> problem(fakeGpu).stream()).toList(),
                List.of());
    }

    private ClaimRow claim(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        List<DeviceRequestAllocationResult> results = Allocations.results(claim);
        List<DeviceId> devices = results.stream().map(Allocations::device).toList();
        var labels = Objects.requireNonNullElse(metadata.getLabels(), Map.<String, String>of());
        boolean isForNobody = devices.isEmpty() && labels.containsKey(Labels.ALLOCATE);
        return new ClaimRow(
                metadata.getNamespace(),
                metadata.getName(),
                devices.stream().map(DeviceId::device).toList(),
                results.stream()
                        .filter(Allocations::hasAdminAccess)
                        .map(DeviceRequestAllocationResult::getDevice)
                        .toList(),
                results.stream().map(result -> result(claim, result)).toList(),
                devices.isEmpty() ? null : devices.get(0).pool(),
                devices.stream()
                        .findFirst()
                        .flatMap(device -> DeviceStatuses.readyCondition(claim, device))
                        .map(Condition::getReason)
                        .orElse(null),
                ClaimConsumers.pods(claim).map(consumer -> consumer.getName()).toList(),
                ClaimConsumers.others(claim),
                isForNobody ? byScheduler(claim) : null);
    }

    private ResultRow result(ResourceClaim claim, DeviceRequestAllocationResult result) {
        var consumed = new TreeMap<String, String>();
        Objects.requireNonNullElse(result.getConsumedCapacity(), Map.<String, Quantity>of())
                .forEach((name, amount) -> consumed.put(name, amount.toString()));
        return new ResultRow(
                result.getRequest(),
                deviceClass(claim, result.getRequest()).orElse(null),
                result.getDriver(),
                result.getPool(),
                result.getDevice(),
                result.getShareID() == null ? null : shares.get(result.getShareID()),
                consumed,
                Allocations.hasAdminAccess(result));
    }

    /** @param request the request, with the alternative if there are several */
    private static Optional<String> deviceClass(ResourceClaim claim, String request) {
        return ClaimReader.read(claim).requests().stream()
                .flatMap(each -> each.exactly() != null
                        ? Stream.of(Map.entry(each.name(), each.exactly().deviceClassName()))
                        : each.firstAvailable().stream()
                                .map(alternative -> Map.entry(
                                        each.name() + "/" + alternative.name(), alternative.deviceClassName())))
                .filter(each -> each.getKey().equals(request))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private PodRow pod(Pod pod) {
        var metadata = pod.getMetadata();
        String phase = Objects.requireNonNullElse(pod.getStatus().getPhase(), "Pending");
        return new PodRow(
                metadata.getNamespace(),
                metadata.getName(),
                phase,
                pod.getSpec().getNodeName(),
                phase.equals("Pending") ? waiting(pod) : null,
                NodeAdmission.rejection(pod)
                        .map(rejection -> new Waiting(rejection.reason(), rejection.message()))
                        .orElse(null));
    }

    private Waiting waiting(Pod pod) {
        if (pod.getSpec().getNodeName() != null) {
            List<ResourceClaim> claims = all(ResourceClaim.class)
                    .filter(claim -> PodClaims.isReservedFor(claim, pod))
                    .toList();
            boolean isComplete = claims.size() >= PodClaims.names(pod).size();
            return (isComplete ? onItsNode(pod, claims) : reasons.of(pod).or(() -> onItsNode(pod, claims)))
                    .or(() -> NotPreparable.nodeOf(pod, nodes).map(gone -> new Waiting(ClusterView.NODE_GONE, gone)))
                    .orElse(new Waiting("ContainerCreating", "its devices are being prepared"));
        }
        return PodState.gated(pod)
                .map(gates -> new Waiting(ClusterView.SCHEDULING_GATED, gates))
                .orElseGet(() -> reasons.include(pod)
                        ? byScheduler(pod)
                        : new Waiting(ClusterView.OTHER_SCHEDULER, otherScheduler(pod)));
    }

    private Optional<Waiting> onItsNode(Pod pod, List<ResourceClaim> claims) {
        return PodState.notStarted(pod)
                .or(() -> claims.stream()
                        .flatMap(claim -> notPreparable.of(pod, claim).stream()
                                .map(problem -> "claim %s: %s"
                                        .formatted(claim.getMetadata().getName(), problem)))
                        .findFirst())
                .map(message -> new Waiting(ClusterView.PREPARATION_FAILED, message));
    }

    private static String otherScheduler(Pod pod) {
        return SchedulerProfile.KUBE_SCHEDULER.isFor(pod)
                ? "its scheduler is %s, which only --scheduler kube simulates; the companion's pods have spec.schedulerName: %s"
                        .formatted(pod.getSpec().getSchedulerName(), Labels.SCHEDULER_NAME)
                : "its scheduler is %s, which is not simulated"
                        .formatted(pod.getSpec().getSchedulerName());
    }

    private Waiting byScheduler(HasMetadata object) {
        return reasons.of(object)
                .orElse(new Waiting(ClusterView.NOT_SCHEDULED, "nothing has been decided about it yet"));
    }

    private <T> Stream<T> all(Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast);
    }

    private static Optional<String> problem(FakeGpu fakeGpu) {
        FakeGpuStatus status = fakeGpu.getStatus();
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> List.of("Accepted", "Published").contains(condition.getType())
                                && condition.getStatus().equals("False"))
                        .findFirst()
                        .map(condition -> "FakeGpu %s: %s: %s"
                                .formatted(
                                        fakeGpu.getMetadata().getName(),
                                        condition.getReason(),
                                        condition.getMessage()));
    }
}
