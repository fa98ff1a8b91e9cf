package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.prepare.DeviceStatusWriter;
import dev.fakegpu.operator.prepare.fault.DriverCall;
import dev.fakegpu.operator.prepare.fault.FaultInjector;
import dev.fakegpu.operator.prepare.fault.FaultOutcome;
import dev.fakegpu.operator.prepare.fault.InjectedFault;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Plays the DRA driver of all simulated nodes: injects faults, validates the claim against the modeled hardware, and records the result in
 * the claim's {@code status.devices}, which is its only state. Not thread-safe.
 */
final class SimulatedDriver {

    private static final Logger LOG = Logger.getLogger(SimulatedDriver.class);

    private final ObjectStores cluster;
    private final NodeSnapshots nodes;
    private final EventRecorder events;
    private final DeviceStatusWriter statuses;
    private final FaultInjector faults;
    private final DriverListener listener;
    private final Ticker ticker;

    /** @param outcome the outcome for metrics; null while there is no response */
    private record Answer(FaultOutcome toKubelet, DriverListener.@Nullable Outcome outcome) {}

    SimulatedDriver(
            ObjectClient client,
            ObjectStores cluster,
            NodeSnapshots nodes,
            EventRecorder events,
            DriverListener listener,
            SimulatedKubelet.Timing timing) {
        this.cluster = cluster;
        this.nodes = nodes;
        this.events = events;
        this.statuses = new DeviceStatusWriter(client, cluster.claims()::written, timing.clock());
        this.faults =
                new FaultInjector(timing.ticker(), (operation, fault) -> listener.injected(operation, fault.effect()));
        this.listener = listener;
        this.ticker = timing.ticker();
    }

    /**
     * NodePrepareResources for one claim. Does nothing if the claim is already prepared.
     *
     * @param pod the pod that is starting, on which events are recorded
     */
    FaultOutcome prepare(Pod pod, ResourceClaim claim) {
        var results = Allocations.results(claim).stream()
                .filter(result -> !skipsPreparation(result))
                .toList();
        Optional<String> outOfReach = results.isEmpty() ? Optional.empty() : outOfReach(pod, claim);
        if (outOfReach.isPresent()) { // the claim's status is about the node that can use the devices
            return answer(
                    Operation.Prepare,
                    () -> new Answer(new FaultOutcome.Failed(outOfReach.get()), DriverListener.Outcome.REFUSED));
        }
        List<DeviceId> devices =
                results.stream().map(Allocations::device).distinct().toList();
        if (devices.stream().allMatch(device -> DeviceStatuses.isPrepared(claim, device))) {
            return new FaultOutcome.NoFault();
        }
        var call = DriverCall.prepare(claim, devices);
        return answer(call.operation(), () -> prepare(pod, claim, call, results));
    }

    private Answer prepare(Pod pod, ResourceClaim claim, DriverCall call, List<DeviceRequestAllocationResult> results) {
        var node = nodeOf(pod);
        var outcome = faults.call(call, node.faults(call));
        if (outcome instanceof FaultOutcome.NoFault) {
            return setUp(node, claim, results, call.devices(), null);
        }
        if (outcome instanceof FaultOutcome.WrongDevices wrong) {
            var answer = setUp(node, claim, results, call.devices(), wrong.fault());
            reportWrongDevices(pod, claim);
            return answer;
        }
        if (outcome instanceof FaultOutcome.Failed failed) {
            statuses.failed(claim, call.devices(), failed.problem(), declaredOn(node));
        }
        return changed(outcome);
    }

    private FaultOutcome answer(Operation operation, Supplier<Answer> call) {
        Moment begun = ticker.now();
        Answer answer = call.get();
        if (answer.outcome() != null) {
            listener.answered(operation, answer.outcome(), ticker.since(begun));
        }
        return answer.toKubelet();
    }

    /** Returns the response to a call that an injected fault may have changed. */
    private static Answer changed(FaultOutcome outcome) {
        if (outcome instanceof FaultOutcome.Pending) {
            return new Answer(outcome, null);
        }
        if (outcome instanceof FaultOutcome.Failed) {
            return new Answer(outcome, DriverListener.Outcome.FAULT);
        }
        return new Answer(
                outcome,
                outcome instanceof FaultOutcome.TimedOut
                        ? DriverListener.Outcome.TIMEOUT
                        : DriverListener.Outcome.SUCCEEDED);
    }

    /** @param wrongDevices the description of the fault that replaces the claim's devices, if there is one */
    private Answer setUp(
            NodeSnapshot node,
            ResourceClaim claim,
            List<DeviceRequestAllocationResult> results,
            List<DeviceId> devices,
            @Nullable String wrongDevices) {
        var validator = node.validatorFor(claim);
        var validated = validator.check(claim, results);
        var result = wrongDevices == null ? validated : validator.withWrongDevices(validated, wrongDevices);
        if (result.problemText().isEmpty()) {
            statuses.prepared(claim, result, declaredOn(node));
            return new Answer(new FaultOutcome.NoFault(), DriverListener.Outcome.SUCCEEDED);
        }
        ScopedText problem = result.problemText().get();
        ClaimRef ref = ClaimReader.ref(claim);
        LOG.infof("claim %s (%s) cannot be prepared: %s", ref, ref.uid(), problem.full());
        statuses.failed(claim, devices, problem.shown(), declaredOn(node));
        return new Answer(new FaultOutcome.Failed(problem.shown()), DriverListener.Outcome.REFUSED);
    }

    /**
     * Records an event, because nothing else on the pod shows that the devices are wrong: a kubelet accepts any devices that the driver
     * returns.
     */
    private void reportWrongDevices(Pod pod, ResourceClaim claim) {
        cluster.claims()
                .get(claim.getMetadata().getNamespace(), claim.getMetadata().getName())
                .ifPresent(stored -> DeviceStatuses.otherDevices(stored)
                        .forEach((device, message) -> events.warning(
                                pod,
                                EventReason.InjectedFault,
                                "ResourceClaim %s, device %s: %s"
                                        .formatted(claim.getMetadata().getName(), device, message))));
    }

    /** NodeUnprepareResources for one claim. */
    FaultOutcome unprepare(Pod pod, ResourceClaim claim) {
        var devices = Allocations.devices(claim);
        var call = DriverCall.unprepare(ClaimReader.ref(claim), Optional.of(claim), devices);
        return answer(call.operation(), () -> changed(unprepare(pod, claim, call)));
    }

    private FaultOutcome unprepare(Pod pod, ResourceClaim claim, DriverCall call) {
        var outcome = faults.call(call, nodeOf(pod).faults(call));
        if (outcome instanceof FaultOutcome.NoFault) {
            statuses.unprepared(claim);
        } else if (outcome instanceof FaultOutcome.Failed failed) {
            statuses.notUnprepared(claim, call.devices(), failed.problem());
        }
        return outcome;
    }

    /** The number of devices of the claim that are prepared. */
    static long countPrepared(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .map(Allocations::device)
                .filter(device -> DeviceStatuses.isPrepared(claim, device))
                .count();
    }

    /** Forgets faults and claims that no longer exist. */
    void forgetGone() {
        if (faults.isEmpty()) {
            return;
        }
        faults.retain(
                cluster.fakeGpus().list().stream()
                        .flatMap(fakeGpu -> faultsOf(fakeGpu).stream()
                                .map(fault ->
                                        new InjectedFault(fakeGpu.getMetadata().getUid(), fault)))
                        .collect(Collectors.toSet()),
                cluster.claims().list().stream()
                        .map(claim -> claim.getMetadata().getUid())
                        .collect(Collectors.toSet()));
    }

    static List<FaultSpec> faultsOf(@Nullable FakeGpu fakeGpu) {
        return fakeGpu == null ? List.of() : fakeGpu.getSpec().faults();
    }

    private Optional<String> outOfReach(Pod pod, ResourceClaim claim) {
        return cluster.nodes()
                .get(null, pod.getSpec().getNodeName())
                .flatMap(node -> ClaimProblems.outOfReach(claim, SchedulableNode.of(node)));
    }

    private NodeSnapshot nodeOf(Pod pod) {
        return nodes.of(pod.getSpec().getNodeName());
    }

    private static Function<DeviceId, @Nullable CompatibilityGroups> declaredOn(NodeSnapshot node) {
        return device -> node.declaredGroups(device).orElse(null);
    }

    /** Whether the allocation says that the driver does not need to prepare the device (KEP-5945). */
    private static boolean skipsPreparation(DeviceRequestAllocationResult result) {
        var skipped = Objects.requireNonNullElse(result.getSkipNodeOperations(), List.<String>of());
        return skipped.contains("*") || skipped.contains("NodePrepareResources");
    }
}
