package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.BindingSpec.Outcome;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.cluster.fit.BindingConditions;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.inventory.SimulatedBinding;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.prepare.DeviceStatusWriter;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.RetryBackoff;
import dev.fakegpu.util.SafeText;
import dev.fakegpu.util.StoredTimes;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Plays the controller of a driver whose devices have binding conditions (KEP-5007): sets the conditions of allocated devices according to
 * {@code binding.simulate} of their FakeGpu. The node does not matter, because nothing is prepared before the pod is bound.
 */
public final class BindingSimulator implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(BindingSimulator.class);

    private final ObjectStores cluster;
    private final InventoryPlanner planner;
    private final DeviceStatusWriter statuses;
    private final Clock clock;
    private final Ticker ticker;
    private final StoredTimes allocations;
    private final CoalescingWorker worker;
    private final ObjectStore.Index<Boolean, ResourceClaim> waiting;
    private final RetryBackoff backoff;

    /** A simulated binding of one device of a claim. */
    private record PlannedBinding(
            DeviceRequestAllocationResult result, String fakeGpu, SimulatedBinding simulation, Moment at) {}

    /** What the FakeGpu of a pool simulates for its devices. */
    private record Simulated(String fakeGpu, Function<String, Optional<SimulatedBinding>> byDevice) {}

    public BindingSimulator(
            ObjectClient client,
            ObjectStores cluster,
            InventoryPlanner planner,
            Clock clock,
            Ticker ticker,
            TaskExecutors executors) {
        this.cluster = cluster;
        this.planner = planner;
        this.statuses = new DeviceStatusWriter(client, cluster.claims()::written, clock);
        this.clock = clock;
        this.ticker = ticker;
        this.allocations = new StoredTimes(clock, ticker);
        this.worker = new CoalescingWorker("binding-simulator", this::simulate, executors);
        this.backoff = new RetryBackoff(ticker);
        this.waiting = cluster.claims().index(claim -> isWaiting(claim) ? Set.of(true) : Set.of());
    }

    public void start() {
        cluster.claims().addListener((before, after) -> {
            if (after != null && isWaiting(after)) {
                worker.request();
            }
        });
        cluster.fakeGpus().addListener((before, after) -> {
            if (before == null || after == null || !before.getSpec().equals(after.getSpec())) {
                backoff.retryAllNow();
            }
            worker.request();
        });
        // Informers are independent of each other: a claim may arrive before the slices of its devices do.
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
        var pass = new Pass();
        var claims = waiting.get(true).stream()
                .filter(claim -> UnreadableFields.of(claim).isEmpty())
                .toList();
        Set<String> uids =
                claims.stream().map(claim -> claim.getMetadata().getUid()).collect(Collectors.toSet());
        backoff.retain(uids);
        allocations.retain(uids);
        claims.stream()
                .filter(claim -> backoff.isDue(claim.getMetadata().getUid()))
                .forEach(claim -> worker.attempt(claim, () -> simulate(claim, pass)));
        if (!pass.upcoming.isEmpty()) {
            worker.requestIn(ticker.until(pass.upcoming.first()));
        }
    }

    private void simulate(ResourceClaim claim, Pass pass) {
        Moment now = ticker.now();
        var changed = new ArrayList<AllocatedDeviceStatus>();
        for (PlannedBinding binding : pass.bindings(claim)) {
            if (now.isBefore(binding.at())) {
                pass.upcoming.add(binding.at());
            } else {
                changed.add(withOutcome(DeviceStatuses.known(claim, binding.result()), binding, clock.instant()));
            }
        }
        write(claim, changed);
    }

    /** Retries with back-off, because the API server would refuse the same write again. */
    private void write(ResourceClaim claim, List<AllocatedDeviceStatus> changed) {
        try {
            statuses.replace(claim, changed);
        } catch (KubernetesClientException e) {
            if (!Refusals.isRefusal(e)) {
                throw e;
            }
            Duration delay = backoff.failed(claim.getMetadata().getUid());
            LOG.warnf(
                    "the API server refused the binding conditions of claim %s; trying again in %d s: %s",
                    ClaimReader.ref(claim), delay.toSeconds(), Refusals.message(e));
            worker.requestIn(delay);
        }
    }

    /** The state of one pass over the claims. Each FakeGpu is evaluated once, no matter how many of its devices wait. */
    private final class Pass {

        private final NavigableSet<Moment> upcoming = new TreeSet<>();
        private final Map<PoolId, Optional<Simulated>> byPool = new HashMap<>();
        private final Map<String, Optional<Simulated>> byFakeGpu = new HashMap<>();

        List<PlannedBinding> bindings(ResourceClaim claim) {
            return withConditions(claim)
                    .flatMap(result -> binding(claim, result).stream())
                    .toList();
        }

        private Optional<PlannedBinding> binding(ResourceClaim claim, DeviceRequestAllocationResult result) {
            return byPool.computeIfAbsent(Allocations.device(result).poolId(), this::ofPool)
                    .flatMap(simulated -> simulated
                            .byDevice()
                            .apply(result.getDevice())
                            .map(simulation -> new PlannedBinding(
                                    result,
                                    simulated.fakeGpu(),
                                    simulation,
                                    allocatedAt(claim).plus(simulation.after()))));
        }

        private Optional<Simulated> ofPool(PoolId pool) {
            return cluster.slicesIn(Set.of(pool))
                    .flatMap(slice ->
                            FakeGpuOwner.of(slice, name -> cluster.fakeGpus().get(null, name)).stream())
                    .findFirst()
                    .flatMap(fakeGpu -> byFakeGpu.computeIfAbsent(
                            fakeGpu.getMetadata().getName(), name -> ofFakeGpu(name, fakeGpu)));
        }

        /** Empty if the spec is not accepted. */
        private Optional<Simulated> ofFakeGpu(String name, FakeGpu fakeGpu) {
            return planner.check(fakeGpu.getSpec(), name).isEmpty()
                    ? Optional.of(new Simulated(name, SimulatedBinding.of(fakeGpu.getSpec())))
                    : Optional.empty();
        }
    }

    /** The time of allocation, in whole seconds. Allocators that support binding conditions set it. */
    private Moment allocatedAt(ResourceClaim claim) {
        return allocations.momentOf(
                claim.getMetadata().getUid(),
                BindingConditions.allocatedAt(claim).orElse(Instant.EPOCH));
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
