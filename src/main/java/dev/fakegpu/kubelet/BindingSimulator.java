package dev.fakegpu.kubelet;

import dev.fakegpu.api.BindingSpec.Outcome;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.client.ObjectClient;
import dev.fakegpu.client.UnreadableFields;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.inventory.SimulatedBinding;
import dev.fakegpu.prepare.DeviceStatusWriter;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.SafeText;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.watch.ObjectStore;
import dev.fakegpu.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Plays the controller of a driver whose devices have binding conditions (KEP-5007): sets the conditions of allocated devices as {@code
 * binding.simulate} of their FakeGpu says. Nodes do not matter for it, because nothing is prepared before the pod is bound.
 */
public final class BindingSimulator implements AutoCloseable {

    private final ObjectStores cluster;
    private final InventoryPlanner planner;
    private final DeviceStatusWriter statuses;
    private final Clock clock;
    private final CoalescingWorker worker;
    private final ObjectStore.Index<Boolean, ResourceClaim> waiting;

    /** A simulated binding of one device of a claim. */
    private record PlannedBinding(
            DeviceRequestAllocationResult result, String fakeGpu, SimulatedBinding simulation, Instant at) {}

    public BindingSimulator(
            ObjectClient client, ObjectStores cluster, InventoryPlanner planner, Clock clock, TaskExecutors executors) {
        this.cluster = cluster;
        this.planner = planner;
        this.statuses = new DeviceStatusWriter(client, cluster.claims()::written, clock);
        this.clock = clock;
        this.worker = new CoalescingWorker("binding-simulator", this::simulate, executors);
        this.waiting = cluster.claims().index(claim -> isWaiting(claim) ? Set.of(true) : Set.of());
    }

    public void start() {
        cluster.claims().addListener((before, after) -> {
            if (after != null && isWaiting(after)) {
                worker.request();
            }
        });
        cluster.fakeGpus().addListener((before, after) -> worker.request());
        // Informers are independent of each other: a claim may be known before the slices of its devices are.
        cluster.slices().addListener((before, after) -> {
            if (before == null) {
                worker.request();
            }
        });
        worker.request();
    }

    @Override
    public void close() {
        worker.close();
    }

    private static boolean isWaiting(ResourceClaim claim) {
        return withConditions(claim).anyMatch(result -> !isReady(claim, result));
    }

    private static Stream<DeviceRequestAllocationResult> withConditions(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .filter(result -> result.getBindingConditions() != null
                        && !result.getBindingConditions().isEmpty());
    }

    private static boolean isReady(ResourceClaim claim, DeviceRequestAllocationResult result) {
        var status = DeviceStatuses.known(claim, result);
        return result.getBindingConditions().stream().allMatch(type -> DeviceStatuses.isTrue(status, type));
    }

    private void simulate() {
        var upcoming = new TreeSet<Instant>();
        waiting.get(true).stream()
                .filter(claim -> UnreadableFields.of(claim).isEmpty())
                .forEach(claim -> worker.attempt(claim, () -> simulate(claim, upcoming)));
        if (!upcoming.isEmpty()) {
            // A millisecond more, because the worker's delays are cut off to milliseconds.
            worker.requestIn(Duration.between(clock.instant(), upcoming.first()).plusMillis(1));
        }
    }

    private void simulate(ResourceClaim claim, Set<Instant> upcoming) {
        Instant now = clock.instant();
        var changed = new ArrayList<AllocatedDeviceStatus>();
        for (PlannedBinding binding : bindings(claim)) {
            if (now.isBefore(binding.at())) {
                upcoming.add(binding.at());
            } else {
                changed.add(withOutcome(DeviceStatuses.known(claim, binding.result()), binding, now));
            }
        }
        statuses.replace(claim, changed);
    }

    private List<PlannedBinding> bindings(ResourceClaim claim) {
        return withConditions(claim)
                .flatMap(result -> binding(claim, result).stream())
                .toList();
    }

    private Optional<PlannedBinding> binding(ResourceClaim claim, DeviceRequestAllocationResult result) {
        return fakeGpu(Allocations.device(result).poolId())
                .flatMap(fakeGpu -> SimulatedBinding.of(fakeGpu.getSpec(), result.getDevice())
                        .map(simulation -> new PlannedBinding(
                                result,
                                fakeGpu.getMetadata().getName(),
                                simulation,
                                allocatedAt(claim).plus(simulation.after()))));
    }

    /** The FakeGpu that publishes the pool, if its spec is accepted. */
    private Optional<FakeGpu> fakeGpu(PoolId pool) {
        return cluster.slicesIn(Set.of(pool))
                .flatMap(slice ->
                        FakeGpuOwner.of(slice, name -> cluster.fakeGpus().get(null, name)).stream())
                .findFirst()
                .filter(fakeGpu -> planner.check(
                                fakeGpu.getSpec(), fakeGpu.getMetadata().getName())
                        .isEmpty());
    }

    /** To the second. An allocator that knows binding conditions sets it. */
    private static Instant allocatedAt(ResourceClaim claim) {
        String time = claim.getStatus().getAllocation().getAllocationTimestamp();
        return time == null ? Instant.EPOCH : Instant.parse(time);
    }

    private static AllocatedDeviceStatus withOutcome(AllocatedDeviceStatus known, PlannedBinding binding, Instant now) {
        AllocatedDeviceStatus status = known;
        for (String type : typesToSet(binding)) {
            if (!DeviceStatuses.isTrue(status, type)) {
                status = DeviceStatuses.withCondition(status, condition(type, binding, now));
            }
        }
        return status;
    }

    private static List<String> typesToSet(PlannedBinding binding) {
        return binding.simulation().outcome() == Outcome.Ready
                ? binding.result().getBindingConditions()
                : binding.result().getBindingFailureConditions().stream()
                        .limit(1)
                        .toList();
    }

    private static Condition condition(String type, PlannedBinding binding, Instant now) {
        var simulation = binding.simulation();
        return new ConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withReason("Simulated" + simulation.outcome())
                .withMessage(SafeText.of(
                        "binding.simulate of FakeGpu %s sets the condition %d s after the allocation"
                                .formatted(binding.fakeGpu(), simulation.after().toSeconds()),
                        SafeText.CONDITION_MESSAGE))
                .withLastTransitionTime(now.truncatedTo(ChronoUnit.SECONDS).toString())
                .build();
    }
}
