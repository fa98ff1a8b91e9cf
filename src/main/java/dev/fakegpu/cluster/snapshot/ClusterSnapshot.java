package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.AdvertisedTwice;
import dev.fakegpu.cluster.fit.ClaimUses;
import dev.fakegpu.cluster.fit.DeviceLookup;
import dev.fakegpu.cluster.fit.ExtendedResources;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.TaintRule;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.MixinsAnnotation;
import dev.fakegpu.dra.wire.TaintRuleReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.finding.ClaimUsers;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster at a point in time, in the form that allocation, scheduling and explanations need. Immutable.
 *
 * <p>Objects that could not be read are absent here; {@link #objects} lists them.
 */
public final class ClusterSnapshot {

    /**
     * A slice as it is stored, and as allocators see it.
     *
     * @param asStored the slice with the taints of DeviceTaintRules
     * @param withGroups the slice that also has the groups of the annotation, which only the companion reads
     * @param hasGroups whether it has any groups
     * @param hasCompanionTaint whether its devices have the taint of the companion's devices
     */
    public record SnapshotSlice(
            ResourceSlice stored, Slice asStored, Slice withGroups, boolean hasGroups, boolean hasCompanionTaint) {

        static SnapshotSlice of(ResourceSlice stored, Slice asStored, Slice withGroups) {
            return new SnapshotSlice(
                    stored,
                    asStored,
                    withGroups,
                    withGroups.usesCompatibilityGroups(),
                    asStored.devices().stream()
                            .flatMap(device -> device.taints().stream())
                            .anyMatch(taint -> taint.key().equals(Labels.COMPANION_TAINT.key())
                                    && taint.value().equals(Labels.COMPANION_TAINT.value())));
        }
    }

    private final ClusterObjects objects;
    private final List<SnapshotSlice> slices;
    private final List<String> unreadableSlices;
    private final boolean takesOfNodes;
    private final Map<String, DeviceClass> classes;
    private final List<AllocatedDevice> allocated;
    private final List<SchedulableNode> nodes;
    private final ExtendedResources extendedResources;

    /** Created when it is first needed. */
    private volatile @Nullable DeviceLookup devices;

    public ClusterSnapshot(ClusterObjects objects) {
        this(objects, new SliceParser());
    }

    /** @param parser shared between consecutive snapshots, so that unchanged slices are not parsed again */
    public ClusterSnapshot(ClusterObjects objects, SliceParser parser) {
        this.objects = objects;
        var readable = new ArrayList<SnapshotSlice>();
        var unreadable = new ArrayList<String>();
        List<TaintRule> rules = objects.taintRules().stream()
                .flatMap(rule -> TaintRuleReader.read(rule).stream())
                .toList();
        parser.begin(rules);
        objects.slices().forEach(slice -> {
            try {
                readable.add(parser.parse(slice));
            } catch (IllegalArgumentException e) {
                unreadable.add("ResourceSlice " + slice.getMetadata().getName() + ": " + e.getMessage());
            }
        });
        slices = List.copyOf(readable);
        unreadableSlices = List.copyOf(unreadable);
        takesOfNodes = slices.stream()
                .flatMap(slice -> slice.asStored().devices().stream())
                .anyMatch(device -> !device.nodeAllocatableResources().isEmpty());
        classes = objects.deviceClasses().stream()
                .map(ClaimReader::read)
                .collect(Collectors.collectingAndThen(
                        Collectors.toMap(
                                DeviceClass::name, Function.identity(), (first, second) -> second, TreeMap::new),
                        Collections::unmodifiableMap));
        allocated = objects.claims().stream()
                .flatMap(claim -> DeviceStatuses.allocated(claim).stream())
                .toList();
        nodes = objects.nodes().stream()
                .filter(UnreadableFields::isReadable)
                .map(SchedulableNode::of)
                .toList();
        extendedResources = ExtendedResources.of(objects.deviceClasses());
    }

    /** The objects from which it was created. */
    public ClusterObjects objects() {
        return objects;
    }

    /** One text for each object that could be read only in part, or not at all. */
    public List<String> unreadable() {
        var all = new ArrayList<>(objects.unreadable());
        all.addAll(unreadableSlices);
        return List.copyOf(all);
    }

    /** All slices, of all drivers and generations. */
    public List<SnapshotSlice> slices() {
        return slices;
    }

    /** All classes by name, sorted. */
    public Map<String, DeviceClass> classes() {
        return classes;
    }

    /** The devices that claims hold, with the recorded groups; those of admin access are omitted. */
    public List<AllocatedDevice> allocated() {
        return allocated;
    }

    /** The nodes whose fields could all be read. */
    public List<SchedulableNode> nodes() {
        return nodes;
    }

    /** The devices of all drivers, as they are in slices. */
    public DeviceLookup devices() {
        DeviceLookup known = devices;
        if (known == null) {
            var options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.LIVE, List.of());
            known = DeviceLookup.in(
                    new SliceIndex(slices.stream().map(SnapshotSlice::asStored).toList(), options));
            devices = known;
        }
        return known;
    }

    /** Whether any device takes resources of nodes (KEP-5517). */
    public boolean takesOfNodes() {
        return takesOfNodes;
    }

    public ExtendedResources extendedResources() {
        return extendedResources;
    }

    /** Hardware that nodes offer twice: through a device plugin and in slices. */
    public List<AdvertisedTwice> advertisedTwice() {
        Map<String, Map<String, BigDecimal>> allocatable = new HashMap<>();
        nodes.forEach(node -> allocatable.put(node.name(), AdvertisedTwice.allocatable(node.stored())));
        List<AdvertisedTwice.ServedResource> served = objects.deviceClasses().stream()
                .filter(each -> each.getSpec() != null && each.getSpec().getExtendedResourceName() != null)
                .map(each -> new AdvertisedTwice.ServedResource(
                        each.getSpec().getExtendedResourceName(),
                        ClaimReader.read(each).selectors()))
                .toList();
        return AdvertisedTwice.in(
                allocatable, slices.stream().map(SnapshotSlice::asStored).toList(), served);
    }

    /** What pods request on their nodes. Each call returns a new object, because it is mutable. */
    public NodeUsage usage() {
        var usage = new NodeUsage();
        objects.pods().forEach(usage::update);
        return usage;
    }

    /** The claims of a pod. */
    public PodClaims podClaims(Pod pod) {
        return PodClaims.of(pod, objects::claim);
    }

    /** The users of claims. */
    public ClaimUsers users() {
        return ClaimUses.in(objects::claim, objects::pod);
    }

    /** The FakeGpu to which a slice belongs; empty if the slice belongs to another driver, or if FakeGpus could not be read. */
    public Optional<FakeGpu> fakeGpu(ResourceSlice slice) {
        return FakeGpuOwner.of(slice, objects::fakeGpu);
    }

    /**
     * The scheduler that allocates the devices of a slice. If FakeGpus could not be read, it is determined by the taint of the companion's
     * devices.
     */
    public Scheduler scheduler(SnapshotSlice slice) {
        return fakeGpu(slice.stored())
                .map(fakeGpu -> Scheduler.of(fakeGpu.getSpec().allocator()))
                .orElseGet(() -> slice.hasCompanionTaint() ? Scheduler.COMPANION : Scheduler.KUBE_SCHEDULER);
    }

    /** The slices from which a scheduler allocates, as it sees them. */
    public List<Slice> slices(Scheduler scheduler, GroupsGate gate) {
        boolean readsAnnotation = scheduler == Scheduler.COMPANION && gate == GroupsGate.ON;
        Map<String, MixinsGate.Visible> visible = scheduler == Scheduler.COMPANION ? withoutMixins() : Map.of();
        return slices.stream()
                .filter(slice -> scheduler(slice) == scheduler)
                .map(slice -> {
                    Slice read = readsAnnotation ? slice.withGroups() : slice.asStored();
                    MixinsGate.Visible seen = visible.get(read.name());
                    return seen == null ? read : seen.of(read);
                })
                .toList();
    }

    /** What the companion sees of its slices, by name of the slice, unless its setting says that it resolves mixins. */
    public Map<String, MixinsGate.Visible> withoutMixins() {
        MixinsGate gate = Assumptions.mixins(this);
        return gate == MixinsGate.ON
                ? Map.of()
                : MixinsAnnotation.visible(
                        slices.stream()
                                .filter(slice -> scheduler(slice) == Scheduler.COMPANION)
                                .map(SnapshotSlice::stored)
                                .toList(),
                        gate);
    }

    /** The input of an allocator that decides as the scheduler is assumed to decide. */
    public AllocationContext context(Assumptions assumed, Selectors selectors) {
        AllocatorOptions options = assumed.options();
        return new AllocationContext(
                new SliceIndex(slices(assumed.scheduler(), options.gate()), options),
                classes,
                allocated(options.groupPolicy()),
                selectors,
                options);
    }

    private AllocatedDevices allocated(GroupPolicy policy) {
        return new AllocatedDevices(allocated, policy);
    }
}
