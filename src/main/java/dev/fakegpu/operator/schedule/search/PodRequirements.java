package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.cluster.fit.DeviceFootprint;
import dev.fakegpu.cluster.fit.ExtendedResourceClaim;
import dev.fakegpu.cluster.fit.GangResources;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.PodFit;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/** What a pod requires of a node: resources, and devices for its claims and extended resources. */
public final class PodRequirements implements NodeCheck {

    private final Pod pod;
    private final PodClaims podClaims;
    private final SchedulerCache cache;
    private final PodFit fit;
    private final List<Claim> unallocated;
    private final SortedSet<String> extendedResources;
    private final Map<SortedSet<String>, ExtendedResourceClaim> extendedResourceClaim = new HashMap<>();

    public PodRequirements(Pod pod, PodClaims podClaims, SchedulerCache cache) {
        this.pod = pod;
        this.podClaims = podClaims;
        this.cache = cache;
        fit = new PodFit(
                pod,
                podClaims.claims(),
                cache.usage(),
                cache.extendedResources(),
                cache.slices()::device,
                cache.otherPods(pod));
        unallocated = podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .map(ClaimReader::read)
                .toList();
        extendedResources = cache.extendedResources().among(fit.requests());
    }

    public Pod pod() {
        return pod;
    }

    public PodClaims podClaims() {
        return podClaims;
    }

    public PodFit fit() {
        return fit;
    }

    /** The pod as a member of its gang. */
    public GangResources.Member asMember() {
        return new GangResources.Member(pod, fit, this::claims);
    }

    /** The claims that have no devices yet, without the one for extended resources. */
    public List<Claim> unallocated() {
        return unallocated;
    }

    @Override
    public boolean fits(SchedulableNode node) {
        if (PodState.isBound(pod)) {
            return node.name().equals(pod.getSpec().getNodeName());
        }
        List<Pod> nominated = cache.nominations().on(node.name());
        return nominated.isEmpty() ? fit.fits(node) : cache.holdsBeside(nominated, node.name(), () -> fit.fits(node));
    }

    /** Upstream: {@code EventsToRegister} of the plugins {@code tainttoleration} and {@code nodeaffinity}, which have no events of pods. */
    @Override
    public boolean mayFitBesideOthers(SchedulableNode node) {
        return NodeFit.problem(node.stored(), pod).isEmpty();
    }

    /** Whether a node is accepted with the devices that were found for {@link #claims}. */
    public NodeSearch.Admission admission(SchedulableNode node, List<Allocation> allocations) {
        DeviceFootprint footprint = footprint(node, allocations);
        if (!PodState.isBound(pod)
                && !fit.withDevices().problems(node, footprint).isEmpty()) {
            return NodeSearch.Admission.REFUSED;
        }
        return footprint.uses().isEmpty() ? NodeSearch.Admission.ADMITTED : NodeSearch.Admission.ADMITTED_NOW;
    }

    /** What the pod's devices, including those found for {@link #claims}, take of a node. */
    public DeviceFootprint footprint(SchedulableNode node, List<Allocation> allocations) {
        return fit.withDevices().on(node, claims(node), allocations);
    }

    /** The claims to be allocated together on a node; the one for extended resources is last. */
    public List<Claim> claims(SchedulableNode node) {
        return extendedResourceClaim(node)
                .map(claim -> {
                    var all = new ArrayList<>(unallocated);
                    all.add(ClaimReader.read(claim.claim()));
                    return List.copyOf(all);
                })
                .orElse(unallocated);
    }

    /** A claim for the extended resources that no device plugin on the node provides; empty if there are none. */
    public Optional<ExtendedResourceClaim> extendedResourceClaim(SchedulableNode node) {
        var needed = cache.extendedResources().neededOn(node.stored(), extendedResources);
        return needed.isEmpty() || PodState.isBound(pod)
                ? Optional.empty()
                : Optional.of(extendedResourceClaim.computeIfAbsent(
                        needed, resources -> ExtendedResourceClaim.of(pod, resources, cache.extendedResources())));
    }

    /**
     * A key that is equal for pods with the same requirements. A pod with an allocated claim, several claims or extended resources is in a
     * class of its own: an allocated claim restricts its nodes, and an explanation of several claims names them.
     */
    public Object key(QueueItem item) {
        boolean isUnique = unallocated.size() != 1 || podClaims.claims().size() != 1 || !extendedResources.isEmpty();
        return isUnique || PodState.isBound(pod)
                ? item
                : List.of(unallocated.get(0).requests(), unallocated.get(0).constraints(), fit.key());
    }
}
