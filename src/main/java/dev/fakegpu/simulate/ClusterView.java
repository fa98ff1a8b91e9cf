package dev.fakegpu.simulate;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.operator.schedule.SchedulerProfile;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is so in a simulation, and why.
 *
 * @param claims sorted by namespace and name
 * @param pods sorted by namespace and name
 * @param problems what FakeGpus do not publish, and why; sentences
 */
public record ClusterView(List<ClaimRow> claims, List<PodRow> pods, List<String> problems) {

    static final String PREPARATION_FAILED = "FailedPrepareDynamicResources";
    static final String OTHER_SCHEDULER = "OtherScheduler";
    static final String NOT_SCHEDULED = "NotScheduled";

    public ClusterView {
        claims = List.copyOf(claims);
        pods = List.copyOf(pods);
        problems = List.copyOf(problems);
    }

    /**
     * A claim.
     *
     * @param devices allocated devices by name; empty if the claim is not allocated
     * @param prepared the reason of the condition Ready of its first device, such as {@code Prepared}; null before preparation
     * @param pods names of the pods that it is reserved for
     * @param waiting why it is not allocated; null if it is, or waits for its pod
     */
    public record ClaimRow(
            String namespace,
            String name,
            List<String> devices,
            @Nullable String pool,
            @Nullable String prepared,
            List<String> pods,
            @Nullable Waiting waiting) {}

    /**
     * A pod.
     *
     * @param waiting why it does not run; null if it does, or has ended
     */
    public record PodRow(
            String namespace,
            String name,
            String phase,
            @Nullable String node,
            @Nullable Waiting waiting) {

        @JsonIgnore
        public boolean isRunning() {
            return phase.equals("Running");
        }
    }

    /**
     * @param reason for programs: the name of a {@link dev.fakegpu.engine.explain.Reason}, or of what else holds it up
     * @param sentence for people
     */
    public record Waiting(String reason, String sentence) {}

    static ClusterView of(Simulation simulation) {
        return new Reader(simulation).read();
    }

    /** Reads all objects once. */
    private static final class Reader {

        private final MemoryCluster cluster;
        private final SimulatedSchedulers schedulers;
        private final Map<String, Event> lastEvents = new HashMap<>();

        Reader(Simulation simulation) {
            cluster = simulation.cluster();
            schedulers = simulation.schedulers();
            cluster.events()
                    .forEach(event -> lastEvents.put(event.getInvolvedObject().getUid(), event));
        }

        ClusterView read() {
            Comparator<HasMetadata> byName = Comparator.comparing(
                            (HasMetadata object) -> object.getMetadata().getNamespace())
                    .thenComparing(object -> object.getMetadata().getName());
            return new ClusterView(
                    cluster.list(ResourceClaim.class).stream()
                            .sorted(byName)
                            .map(this::claim)
                            .toList(),
                    cluster.list(Pod.class).stream()
                            .sorted(byName)
                            .map(this::pod)
                            .toList(),
                    cluster.list(FakeGpu.class).stream()
                            .flatMap(fakeGpu -> problem(fakeGpu).stream())
                            .toList());
        }

        private ClaimRow claim(ResourceClaim claim) {
            var metadata = claim.getMetadata();
            List<DeviceId> devices = Allocations.devices(claim);
            var labels = Objects.requireNonNullElse(metadata.getLabels(), Map.<String, String>of());
            boolean isForNobody = devices.isEmpty() && labels.containsKey(Labels.ALLOCATE);
            return new ClaimRow(
                    metadata.getNamespace(),
                    metadata.getName(),
                    devices.stream().map(DeviceId::device).toList(),
                    devices.isEmpty() ? null : devices.get(0).pool(),
                    devices.stream()
                            .findFirst()
                            .flatMap(device -> DeviceStatuses.readyCondition(claim, device))
                            .map(Condition::getReason)
                            .orElse(null),
                    claim.getStatus() == null
                            ? List.of()
                            : claim.getStatus().getReservedFor().stream()
                                    .map(consumer -> consumer.getName())
                                    .toList(),
                    isForNobody ? byScheduler(claim) : null);
        }

        private PodRow pod(Pod pod) {
            var metadata = pod.getMetadata();
            String phase = Objects.requireNonNullElse(pod.getStatus().getPhase(), "Pending");
            return new PodRow(
                    metadata.getNamespace(),
                    metadata.getName(),
                    phase,
                    pod.getSpec().getNodeName(),
                    phase.equals("Pending") ? waiting(pod) : null);
        }

        private Waiting waiting(Pod pod) {
            if (pod.getSpec().getNodeName() != null) {
                return pod.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("PodReadyToStartContainers")
                                && condition.getMessage() != null)
                        .findFirst()
                        .map(condition -> new Waiting(PREPARATION_FAILED, condition.getMessage()))
                        .or(() -> bySchedulerOrEvent(pod))
                        .orElse(new Waiting("ContainerCreating", "its devices are being prepared"));
            }
            return schedulers.include(pod) ? byScheduler(pod) : new Waiting(OTHER_SCHEDULER, otherScheduler(pod));
        }

        private static String otherScheduler(Pod pod) {
            return SchedulerProfile.KUBE_SCHEDULER.isFor(pod)
                    ? "its scheduler is %s, which only --scheduler kube simulates; the companion's pods have spec.schedulerName: %s"
                            .formatted(pod.getSpec().getSchedulerName(), Labels.SCHEDULER_NAME)
                    : "its scheduler is %s, which is not simulated"
                            .formatted(pod.getSpec().getSchedulerName());
        }

        private Waiting byScheduler(HasMetadata object) {
            return bySchedulerOrEvent(object)
                    .orElse(new Waiting(NOT_SCHEDULED, "nothing has been decided about it yet"));
        }

        private Optional<Waiting> bySchedulerOrEvent(HasMetadata object) {
            String uid = object.getMetadata().getUid();
            return schedulers
                    .pending(uid)
                    .map(pending -> new Waiting(pending.code(), pending.sentence()))
                    .or(() -> Optional.ofNullable(lastEvents.get(uid))
                            .map(event -> new Waiting(event.getReason(), event.getMessage())));
        }

        private static Optional<String> problem(FakeGpu fakeGpu) {
            FakeGpuStatus status = fakeGpu.getStatus();
            return status == null
                    ? Optional.empty()
                    : status.conditions().stream()
                            .filter(condition ->
                                    List.of("Accepted", "Published").contains(condition.getType())
                                            && condition.getStatus().equals("False"))
                            .findFirst()
                            .map(condition -> "FakeGpu %s: %s: %s"
                                    .formatted(
                                            fakeGpu.getMetadata().getName(),
                                            condition.getReason(),
                                            condition.getMessage()));
        }
    }

    Optional<PodRow> pod(String namespace, String name) {
        return pods.stream()
                .filter(pod -> pod.namespace().equals(namespace) && pod.name().equals(name))
                .findFirst();
    }

    Optional<ClaimRow> claim(String namespace, String name) {
        return claims.stream()
                .filter(claim ->
                        claim.namespace().equals(namespace) && claim.name().equals(name))
                .findFirst();
    }
}
