package dev.fakegpu.operator.schedule.cache;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.cluster.fit.ExtendedResources;
import dev.fakegpu.cluster.fit.NodeScores;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.OtherPodsFit;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.finding.ClaimUse;
import dev.fakegpu.hardware.slices.MixinText;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.LeftOutObjects;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.schedule.cache.NodeGenerations.Cause;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.util.Moment;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The cluster state on which decisions are based, updated incrementally: nodes and their free resources, the devices that the companion may
 * allocate, the devices that are allocated or assumed, and the settings. Not thread-safe, except for {@link #options}.
 */
public final class SchedulerCache {

    private final ObjectStores cluster;
    private static final Logger LOG = Logger.getLogger(SchedulerCache.class);

    private final CompanionSettings settings;
    private final NodeGenerations generations = new NodeGenerations();

    /** Counts all allocations and releases, even those that cannot help a refused pod or claim. */
    private final NodeGenerations allocations = new NodeGenerations();

    private final NodeScore order = new NodeScore();
    private final NodeUsage usage = new NodeUsage();
    private final Nominations nominations = new Nominations();
    private final AllocatorHandover handover;
    private final ManagedSlices slices;
    private final AssumeCache assumeCache;
    private final Map<String, ClaimUse> assumedFor = new HashMap<>();
    private final NavigableMap<String, SchedulableNode> nodes = new TreeMap<>();
    private Map<String, DeviceClass> classes = Map.of();
    private ExtendedResources extendedResources = ExtendedResources.NONE;
    private volatile CompanionOptions options;
    private boolean allSlicesChanged = true;
    private final Set<String> changedSlices = new LinkedHashSet<>();
    private boolean classesChanged = true;
    private boolean allNodesChanged;

    /** Whether a pod on a node can affect whether other pods fit. */
    private boolean otherPodsMatter;

    private long usageSeen;

    public SchedulerCache(ObjectStores cluster, CompanionSettings settings, AllocatorHandover handover) {
        this.cluster = cluster;
        this.settings = settings;
        this.options = settings.initial();
        this.handover = handover;
        this.slices = new ManagedSlices(cluster, handover, settings.profile(), allocatorOptions(), options.mixins());
        this.assumeCache = new AssumeCache(options.groupPolicy(), this::allocated);
    }

    private void allocated(PoolId pool, int difference) {
        order.allocated(pool, difference);
        String node = order.node(pool);
        if (node == null) {
            allocations.changedEverywhere();
        } else {
            allocations.changed(node);
        }
    }

    public NodeGenerations generations() {
        return generations;
    }

    public NodeGenerations allocations() {
        return allocations;
    }

    public NodeUsage usage() {
        return usage;
    }

    public Nominations nominations() {
        return nominations;
    }

    public AssumeCache assumeCache() {
        return assumeCache;
    }

    public ManagedSlices slices() {
        return slices;
    }

    /** The profile of the scheduler that uses this cache. */
    public SchedulerProfile profile() {
        return settings.profile();
    }

    /** The options in effect. Thread-safe. */
    public CompanionOptions options() {
        return options;
    }

    private AllocatorOptions allocatorOptions() {
        return options.allocatorOptions(profile());
    }

    public ExtendedResources extendedResources() {
        return extendedResources;
    }

    // --- what changed in the cluster

    /** Applies the current settings to the next decisions. */
    public void settingsChanged() {
        CompanionOptions current = settings.now();
        if (!current.equals(options)) {
            LOG.infof("companion: %s from now on", current);
            options = current;
            slices.use(allocatorOptions(), current.mixins());
            allSlicesChanged = true;
            assumeCache.use(current.groupPolicy());
            generations.changedEverywhere();
        }
    }

    public void claimChanged(String namespace, String name) {
        Optional<ResourceClaim> claim = cluster.claims().get(namespace, name);
        freed(assumeCache.update(namespace, name, claim.orElse(null)));
    }

    void podChanged(Pod pod) {
        otherPodsMatter |= profile().considersOtherPods() && OtherPodsFit.concerns(pod);
        usage.update(pod).ifPresent(node -> generations.changed(node, Cause.PODS));
    }

    void podGone(String uid) {
        usage.remove(uid).ifPresent(node -> generations.changed(node, Cause.PODS));
    }

    /** @param node null if it was deleted; a node with unreadable fields gets no pods */
    public void nodeChanged(String name, @Nullable Node node) {
        if (node == null || !UnreadableFields.isReadable(node)) {
            nodes.remove(name);
            order.remove(name);
            slices.nodeGone(name);
        } else {
            nodes.put(name, SchedulableNode.of(node));
            order.add(name);
        }
        generations.changed(name);
    }

    /**
     * Stops allocating devices of a FakeGpu.
     *
     * @return whether no allocation of relinquished devices is still being written
     */
    public boolean relinquish(FakeGpu fakeGpu) {
        handover.relinquish(fakeGpu);
        allSlicesChanged = true;
        refresh();
        return assumeCache.assumedPools().allMatch(slices::isManaged);
    }

    /** The next time at which the companion may take over devices without any change in the cluster. */
    public Optional<Moment> nextDue() {
        return handover.nextDue();
    }

    /** Handles a change that may affect how all slices are read. */
    public void slicesChanged() {
        allSlicesChanged = true;
    }

    public void sliceChanged(String name) {
        changedSlices.add(name);
    }

    /** Handles a possible change of a FakeGpu's allocator. */
    public void fakeGpusChanged() {
        allSlicesChanged = true;
        allNodesChanged = true;
    }

    public void classesChanged() {
        classesChanged = true;
    }

    /** Reads the objects that were marked as changed. Call before each decision. */
    public void refresh() {
        if (classesChanged) {
            classesChanged = false;
            classes = cluster.deviceClasses().list().stream()
                    .map(ClaimReader::read)
                    .collect(Collectors.toMap(DeviceClass::name, Function.identity()));
            extendedResources = ExtendedResources.of(cluster.deviceClasses().list());
            generations.changedEverywhere();
        }
        if (allSlicesChanged || !changedSlices.isEmpty()) {
            var changes = allSlicesChanged ? slices.refresh() : slices.refresh(changedSlices);
            allSlicesChanged = false;
            changedSlices.clear();
            changes.forEach(this::poolChanged);
        }
        if (otherPodsMatter && usage.changes() != usageSeen) {
            generations.changedEverywhere(Cause.PODS);
        }
        usageSeen = usage.changes();
        if (allNodesChanged) {
            allNodesChanged = false;
            generations.changedEverywhere();
        }
    }

    private void poolChanged(ManagedSlices.PoolChange change) {
        order.pool(change.pool(), change.nodeNow());
        String node = change.nodeNow();
        if (node != null && (change.nodeBefore() == null || change.nodeBefore().equals(node))) {
            generations.changed(node, Cause.DEVICES);
        } else {
            generations.changedEverywhere(Cause.DEVICES);
        }
    }

    /** The state on which allocations are based now. */
    public AllocationContext allocationContext(Selectors selectors) {
        return new AllocationContext(
                slices.index(), classes, assumeCache.allocatedDevices(), selectors, allocatorOptions());
    }

    // --- decisions that are being written

    /** @param pod the pod that needs the claim; null for a claim without a pod */
    public void assume(ResourceClaim claim, List<AllocatedDevice> devices, @Nullable Pod pod) {
        assumeCache.assume(ClaimReader.ref(claim), devices);
        if (pod != null) {
            assumedFor.put(
                    claim.getMetadata().getUid(), ClaimUse.by(pod.getMetadata().getName()));
        }
    }

    /** The pod for which a claim is being allocated, as the user of the claim. */
    public ClaimUse assumedUse(ClaimRef claim) {
        return assumedFor.getOrDefault(claim.uid(), ClaimUse.UNKNOWN);
    }

    /** Records that the write of a claim is complete; the store has its result. */
    public void settled(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        claimChanged(metadata.getNamespace(), metadata.getName());
        freed(assumeCache.forget(metadata.getUid()));
        assumedFor.remove(metadata.getUid());
    }

    /** Updates the cache to the stored version of a pod, regardless of the given version. */
    public void podStored(Pod pod) {
        var metadata = pod.getMetadata();
        cluster.pods()
                .get(metadata.getNamespace(), metadata.getName())
                .filter(stored -> stored.getMetadata().getUid().equals(metadata.getUid()))
                .ifPresentOrElse(this::podChanged, () -> podGone(metadata.getUid()));
    }

    private void freed(Set<PoolId> pools) {
        for (PoolId pool : pools) {
            if (slices.isManaged(pool)) {
                String node = slices.nodeOf(pool);
                if (node == null) {
                    generations.changedEverywhere(Cause.DEVICES);
                } else {
                    generations.changed(node, Cause.DEVICES);
                }
            }
        }
    }

    /** Why FakeGpus have fewer devices for this scheduler than they could. */
    public List<String> fakeGpuProblems() {
        return MixinText.withLeftOut(
                FakeGpuProblems.of(cluster.fakeGpus().list(), profile().allocator()), slices.withoutMixins());
    }

    /** Sentences about classes and slices that this scheduler would consider if they could be read. */
    public List<String> notConsidered() {
        return LeftOutObjects.sentences(
                cluster, slice -> FakeGpuOwner.name(slice).isPresent());
    }

    /** Whether a condition holds if other pods were also on a node. */
    public boolean holdsBeside(Collection<Pod> others, String node, BooleanSupplier holds) {
        return holdsBeside(Map.of(node, List.copyOf(others)), holds);
    }

    /** @param others by node */
    public boolean holdsBeside(Map<String, List<Pod>> others, BooleanSupplier holds) {
        long before = usage.changes();
        try {
            return usage.holdsBeside(others, holds);
        } finally {
            usageSeen += usage.changes() - before; // nothing has changed
        }
    }

    /** Checks where other pods allow a pod to run; null if this scheduler does not consider them. */
    public @Nullable OtherPodsFit otherPods(Pod pod) {
        return profile().considersOtherPods() ? new OtherPodsFit(pod, nodes(), usage, this::namespaceLabels) : null;
    }

    /** The scores by which the profile chooses a node for a pod. */
    public NodeScores scores(Pod pod) {
        return new NodeScores(pod, nodes(), usage, this::namespaceLabels);
    }

    /** The PodGroup of a pod; empty if it has none or that is unknown. */
    public Optional<PodGroup> podGroup(Pod pod) {
        return cluster.podGroup(pod);
    }

    /** Whether PodGroups can be read. */
    public boolean knowsPodGroups() {
        return cluster.knowsPodGroups();
    }

    private Map<String, String> namespaceLabels(String namespace) {
        return cluster.namespaces()
                .get(null, namespace)
                .map(SchedulableNode::labels)
                .orElse(Map.of());
    }

    // --- nodes

    public Collection<SchedulableNode> nodes() {
        return nodes.values();
    }

    public Optional<SchedulableNode> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** All nodes by name, starting after the given node and ending with it. */
    public Stream<SchedulableNode> nodesAfter(String name) {
        return Stream.concat(nodes.tailMap(name, false).values().stream(), nodes.headMap(name, true).values().stream());
    }

    /** All nodes in order of preference. */
    public Stream<SchedulableNode> allNodes() {
        return changedSince(NodeGenerations.NONE);
    }

    /** The nodes that changed since a generation, in order of preference. */
    public Stream<SchedulableNode> changedSince(long generation) {
        Stream<String> names = generations.allChangedSince(generation)
                ? order.nodes()
                : generations.changedSince(generation).stream()
                        .filter(nodes::containsKey)
                        .sorted(order.comparator());
        return names.flatMap(name -> node(name).stream());
    }
}
