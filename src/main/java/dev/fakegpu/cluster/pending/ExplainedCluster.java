package dev.fakegpu.cluster.pending;

import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.fit.UnhealthyDevices;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.NotPreparable;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.AskedDrivers;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.hardware.slices.MixinText;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A snapshot with the data that explanations of several pods and claims share. Not thread-safe. */
final class ExplainedCluster {

    /** Without these, devices cannot be explained. */
    private static final Set<ObjectKind> NEEDED = Set.of(ObjectKind.SLICES, ObjectKind.CLASSES, ObjectKind.NODES);

    private final ClusterSnapshot snapshot;
    private final ExplainSettings settings;
    private final Selectors selectors = Selectors.shared();
    private final NodeUsage usage;
    private final NotPreparable notPreparable;
    private final List<SchedulableNode> nodes;
    private final Map<Scheduler, Assumptions> assumptions = new EnumMap<>(Scheduler.class);
    private final Map<Scheduler, PendingReasons> reasons = new EnumMap<>(Scheduler.class);
    private @Nullable Map<Object, List<Waiting>> waiting;
    private @Nullable UnhealthyDevices unhealthy;

    /**
     * A FakeGpu that has devices for some nodes.
     *
     * @param from the nodes that can access the devices
     */
    private record Accessible(String fakeGpu, String driver, NodeSelection from) {}

    ExplainedCluster(ClusterSnapshot snapshot, ExplainSettings settings) {
        this.snapshot = snapshot;
        this.settings = settings;
        usage = snapshot.usage();
        notPreparable = new NotPreparable(snapshot.objects());
        nodes = snapshot.nodes().stream()
                .filter(node -> settings.node()
                        .filter(only -> !only.equals(node.name()))
                        .isEmpty())
                .toList();
    }

    ClusterSnapshot snapshot() {
        return snapshot;
    }

    /** Why the pod is waiting on its node for devices of the claim; in the driver's words, if it reports anything. */
    Stream<String> notPrepared(Pod pod, ResourceClaim claim) {
        return Stream.concat(AllocatedDeviceText.notPrepared(claim), notPreparable.of(pod, claim).stream())
                .map(problem -> "claim %s: %s".formatted(claim.getMetadata().getName(), problem));
    }

    /** Which devices of allocated claims no longer work; empty if all of them work or this is unknown. */
    Optional<String> unhealthy(List<ResourceClaim> claims) {
        if (unhealthy == null) {
            unhealthy = UnhealthyDevices.of(snapshot.slices().stream()
                    .map(ClusterSnapshot.SnapshotSlice::asStored)
                    .toList());
        }
        UnhealthyDevices known = unhealthy;
        return Optional.of(claims.stream()
                        .flatMap(claim -> known.sentence(claim).stream())
                        .collect(Collectors.joining("; ")))
                .filter(text -> !text.isEmpty());
    }

    /** The nodes to explain: all nodes, or the only one that was requested. */
    List<SchedulableNode> nodes() {
        return nodes;
    }

    /** The scope for texts about objects in the namespace; it has all names that could be read and the users of claims. */
    NameScope names(String namespace) {
        return NameScope.all().in(namespace).with(snapshot.users());
    }

    PendingChanges pendingChanges() {
        return settings.pendingChanges();
    }

    boolean seesDevices() {
        return NEEDED.stream().allMatch(snapshot.objects()::isComplete);
    }

    boolean sees(ObjectKind kind) {
        return snapshot.objects().isComplete(kind);
    }

    PodDemand demand(Pod pod) {
        return new PodDemand(pod, snapshot.podClaims(pod), usage, snapshot.extendedResources(), snapshot.devices());
    }

    Assumptions assumptions(Scheduler scheduler) {
        return assumptions.computeIfAbsent(scheduler, each -> Assumptions.of(snapshot, each, settings.gate()));
    }

    /** The values that selectors of claims request and no device has. */
    List<String> unknownValues(List<Claim> claims) {
        return new UnknownValues(snapshot, selectors).of(claims);
    }

    /** The labels that a pod requires of its node and that no node has, if the reader may see labels. */
    List<String> unknownLabels(Pod pod) {
        return settings.namesNodeLabels()
                ? NodeLabelFacts.of(pod, snapshot.objects().nodes())
                : List.of();
    }

    /** Why FakeGpus have fewer devices for a scheduler than they could. */
    List<String> fakeGpuProblems(Scheduler scheduler) {
        List<String> unpublished = FakeGpuProblems.of(snapshot.objects().fakeGpus(), allocator(scheduler));
        return scheduler == Scheduler.COMPANION
                ? MixinText.withLeftOut(unpublished, snapshot.withoutMixins())
                : unpublished;
    }

    /** If devices are missing on nodes, why some are not published there or not available to the scheduler. */
    List<String> unpublished(
            Scheduler scheduler, Explanation explanation, List<Claim> claims, List<SchedulableNode> on) {
        if (!explanation.reason().isLackOfDevices()) {
            return List.of();
        }
        AskedDrivers asked = AskedDrivers.of(claims, snapshot.classes(), selectors);
        SortedSet<String> others = scheduler == Scheduler.COMPANION && explanation.reason() != Reason.NoDevices
                ? on.stream()
                        .flatMap(node -> otherDevices(scheduler).fakeGpus(node.devices(), asked).stream())
                        .collect(Collectors.toCollection(TreeSet::new))
                : new TreeSet<>(); // The sentence itself names the problems of other FakeGpus.
        return Stream.concat(
                        fakeGpuProblems(scheduler).stream(),
                        others.isEmpty() ? Stream.of() : Stream.of(EventText.notForTheCompanion(others)))
                .toList();
    }

    PendingReasons reasons(Scheduler scheduler) {
        return reasons.computeIfAbsent(
                scheduler,
                each -> reasons(each, snapshot.slices(each, assumptions(each).gate())));
    }

    /** The reasons for claims of kube-scheduler's pods that deliberately request the companion's devices, too. */
    PendingReasons reasonsWithAllDevices() {
        return reasons(
                Scheduler.KUBE_SCHEDULER,
                snapshot.slices().stream()
                        .map(ClusterSnapshot.SnapshotSlice::asStored)
                        .toList());
    }

    private PendingReasons reasons(Scheduler scheduler, List<Slice> slices) {
        Assumptions assumed = assumptions(scheduler);
        var options = assumed.options();
        return new PendingReasons(
                new PendingReasons.State(
                        samples(),
                        new SliceIndex(slices, options),
                        snapshot.classes(),
                        new AllocatedDevices(snapshot.allocated(), options.groupPolicy()),
                        options,
                        fakeGpuProblems(scheduler),
                        settings.pendingChanges(),
                        otherDevices(scheduler),
                        assumed.isGateKnown()),
                selectors);
    }

    private OtherDevices otherDevices(Scheduler scheduler) {
        AllocatorName other = allocator(scheduler).other();
        Set<Accessible> theirs = snapshot.slices().stream()
                .flatMap(slice -> source(slice)
                        .filter(source -> source.allocator() == other)
                        .map(source -> new Accessible(
                                source.fakeGpu(),
                                slice.asStored().pool().driver(),
                                slice.asStored().nodes()))
                        .stream())
                .collect(Collectors.toSet());
        return new OtherDevices(
                other.name(),
                node -> theirs.stream()
                        .filter(slice -> slice.from().matches(node.name(), node.labels()))
                        .collect(Collectors.toMap(
                                Accessible::fakeGpu, Accessible::driver, (first, same) -> first, TreeMap::new)));
    }

    private static AllocatorName allocator(Scheduler scheduler) {
        return scheduler == Scheduler.COMPANION ? AllocatorName.Companion : AllocatorName.KubeScheduler;
    }

    /** The slices of one pool of each FakeGpu, and all slices of other drivers. */
    private Map<Optional<DeviceSource>, List<Slice>> samples() {
        var pools = new HashMap<DeviceSource, PoolId>();
        var samples = new HashMap<Optional<DeviceSource>, List<Slice>>();
        for (var slice : snapshot.slices()) {
            Optional<DeviceSource> source = source(slice);
            PoolId pool = slice.asStored().pool();
            if (source.isEmpty()
                    || pools.computeIfAbsent(source.get(), ignored -> pool).equals(pool)) {
                samples.computeIfAbsent(source, ignored -> new ArrayList<>()).add(slice.asStored());
            }
        }
        return samples;
    }

    /** The name of the FakeGpu is known even to callers that cannot read it. */
    private Optional<DeviceSource> source(ClusterSnapshot.SnapshotSlice slice) {
        Optional<String> name = snapshot.fakeGpu(slice.stored())
                .map(fakeGpu -> fakeGpu.getMetadata().getName())
                .or(() -> sees(ObjectKind.FAKE_GPUS) ? Optional.empty() : FakeGpuOwner.name(slice.stored()));
        return name.map(known -> new DeviceSource(known, allocator(snapshot.scheduler(slice))));
    }

    /** The pending pods that wait for the same devices, in the order of kube-scheduler's queue. */
    List<Waiting> waitingLike(PodDemand demand) {
        if (waiting == null) {
            waiting = snapshot.objects().pods().stream()
                    .filter(ExplainedCluster::mayWait)
                    .sorted((a, b) -> Waiting.of(a).compareTo(Waiting.of(b)))
                    .collect(Collectors.groupingBy(
                            pod -> demand(pod).requirements(), Collectors.mapping(Waiting::of, Collectors.toList())));
        }
        return waiting.getOrDefault(demand.requirements(), List.of());
    }

    private static boolean mayWait(Pod pod) {
        return !PodState.isBound(pod)
                && !PodState.hasEnded(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getSchedulingGates().isEmpty();
    }
}
