package dev.fakegpu.schedule;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.schedule.fit.ExtendedResources;
import dev.fakegpu.schedule.fit.NodeUsage;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as decisions see it, kept up to date object by object: nodes, what is taken of them, the devices that may be given
 * away and those that are held, stored or assumed. For one thread.
 */
final class SchedulerCache {

    private final ClusterWatch cluster;
    private final NodeChangeClock changes = new NodeChangeClock();
    private final NodeScore order = new NodeScore();
    private final NodeUsage usage = new NodeUsage();
    private final AllocatorOwnership ownership;
    private final ManagedSlices slices;
    private final AssumeCache ledger;
    private final Map<String, SchedulableNode> nodes = new TreeMap<>();
    private Map<String, DeviceClass> classes = Map.of();
    private ExtendedResources extendedResources = ExtendedResources.NONE;
    private AllocatorOptions options;
    private boolean slicesChanged = true;
    private boolean classesChanged = true;
    private boolean anythingChanged;

    SchedulerCache(ClusterWatch cluster, AllocatorOptions options, Clock clock) {
        this.cluster = cluster;
        this.options = options;
        this.ownership = new AllocatorOwnership(cluster, clock);
        this.slices = new ManagedSlices(cluster, ownership, options);
        this.ledger = new AssumeCache(options.groupPolicy(), order::held);
    }

    NodeChangeClock changes() {
        return changes;
    }

    NodeUsage usage() {
        return usage;
    }

    AssumeCache ledger() {
        return ledger;
    }

    ManagedSlices slices() {
        return slices;
    }

    AllocatorOptions options() {
        return options;
    }

    Map<String, DeviceClass> classes() {
        return classes;
    }

    ExtendedResources extendedResources() {
        return extendedResources;
    }

    /** Decides by other rules from now on. */
    void use(AllocatorOptions newOptions) {
        options = newOptions;
        slices.use(newOptions);
        slicesChanged = true;
        ledger.use(newOptions.groupPolicy());
        changes.anywhere();
    }

    // --- what changed in the cluster

    void claimChanged(String namespace, String name) {
        Optional<ResourceClaim> claim = cluster.claims().get(namespace, name);
        freed(ledger.update(namespace, name, claim.orElse(null)));
    }

    void podChanged(Pod pod) {
        usage.update(pod).ifPresent(changes::on);
    }

    void podGone(String uid) {
        usage.remove(uid).ifPresent(changes::on);
    }

    /** @param node null if there is none of that name any more */
    void nodeChanged(String name, @Nullable Node node) {
        if (node == null) {
            nodes.remove(name);
            order.remove(name);
        } else {
            nodes.put(name, SchedulableNode.of(node));
            order.add(name);
        }
    }

    /**
     * Makes sure that no device of a FakeGpu is given away any more.
     *
     * @return whether that is so; otherwise there are decisions under way
     */
    boolean letGo(FakeGpu fakeGpu) {
        ownership.letGo(fakeGpu);
        slicesChanged = true;
        refresh();
        return ledger.assumedPools().allMatch(slices::isManaged);
    }

    /** When it has to be looked anew at who gives devices away although nothing changes. */
    Optional<Instant> nextDue() {
        return ownership.nextDue();
    }

    void slicesChanged() {
        slicesChanged = true;
    }

    /** The allocator of a FakeGpu may be another one now. */
    void fakeGpusChanged() {
        slicesChanged = true;
        anythingChanged = true;
    }

    void classesChanged() {
        classesChanged = true;
    }

    /** Reads what was marked as changed, before a decision. */
    void refresh() {
        if (classesChanged) {
            classesChanged = false;
            classes = cluster.deviceClasses().list().stream()
                    .map(ClaimReader::read)
                    .collect(Collectors.toMap(DeviceClass::name, Function.identity()));
            extendedResources = ExtendedResources.of(cluster.deviceClasses().list());
            changes.anywhere();
        }
        if (slicesChanged) {
            slicesChanged = false;
            var before = new HashMap<>(slices.nodeOfPool());
            slices.refresh().forEach(pool -> poolChanged(pool, before.get(pool)));
            order.pools(slices.nodeOfPool());
        }
        if (anythingChanged) {
            anythingChanged = false;
            changes.anywhere();
        }
    }

    private void poolChanged(PoolId pool, @Nullable String nodeBefore) {
        String node = slices.nodeOfPool().get(pool);
        if (node != null && (nodeBefore == null || nodeBefore.equals(node))) {
            changes.on(node);
        } else {
            changes.anywhere();
        }
    }

    // --- decisions on their way

    void assume(ResourceClaim claim, List<AllocatedDevice> devices) {
        ledger.assume(ClaimReader.ref(claim), devices);
    }

    /** The write of a claim has ended, and the store knows what came of it. */
    void settled(ResourceClaim claim) {
        var metadata = claim.getMetadata();
        claimChanged(metadata.getNamespace(), metadata.getName());
        freed(ledger.forget(metadata.getUid()));
    }

    /** The write of a pod has ended, and the store knows what came of it. */
    void podStored(Pod pod) {
        var metadata = pod.getMetadata();
        cluster.pods()
                .get(metadata.getNamespace(), metadata.getName())
                .filter(stored -> stored.getMetadata().getUid().equals(metadata.getUid()))
                .ifPresentOrElse(this::podChanged, () -> podGone(metadata.getUid()));
    }

    private void freed(Set<PoolId> pools) {
        for (PoolId pool : pools) {
            if (slices.isManaged(pool)) {
                String node = slices.nodeOfPool().get(pool);
                if (node == null) {
                    changes.anywhere();
                } else {
                    changes.on(node);
                }
            }
        }
    }

    // --- nodes

    Collection<SchedulableNode> nodes() {
        return nodes.values();
    }

    Optional<SchedulableNode> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /** In the order in which they are to be tried: those where something happened since a change. */
    Stream<SchedulableNode> nodesSince(long change) {
        Stream<String> names = changes.anywhereSince(change)
                ? order.nodes()
                : changes.nodesSince(change).stream().filter(nodes::containsKey).sorted(order.comparator());
        return names.flatMap(name -> node(name).stream());
    }
}
