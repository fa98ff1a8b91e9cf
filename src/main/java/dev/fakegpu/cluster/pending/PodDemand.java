package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.DeviceFootprint;
import dev.fakegpu.cluster.fit.DeviceLookup;
import dev.fakegpu.cluster.fit.ExtendedResourceClaim;
import dev.fakegpu.cluster.fit.ExtendedResources;
import dev.fakegpu.cluster.fit.GangResources;
import dev.fakegpu.cluster.fit.NodeCandidates;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.OtherNodes;
import dev.fakegpu.cluster.fit.PodFit;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The devices and resources that a pending pod requests. Not thread-safe. */
public final class PodDemand {

    private final Pod pod;
    private final PodClaims podClaims;
    private final PodFit fit;
    private final List<Claim> claims;
    private final SortedSet<String> extendedResources;
    private final ExtendedResources classes;
    private final Map<SortedSet<String>, ExtendedResourceClaim> extendedResourceClaim = new HashMap<>();
    private final boolean isUnique;

    /**
     * @param devices the devices of allocated claims, which may also take resources of nodes; {@link DeviceLookup#NONE} if that does not
     *     matter
     */
    public PodDemand(Pod pod, PodClaims podClaims, NodeUsage usage, ExtendedResources classes, DeviceLookup devices) {
        this.pod = pod;
        this.podClaims = podClaims;
        this.classes = classes;
        fit = new PodFit(pod, podClaims.claims(), usage, classes, devices, null);
        claims = podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .map(ClaimReader::read)
                .toList();
        extendedResources = classes.among(fit.requests());
        isUnique = claims.size() != 1 || podClaims.claims().size() != 1 || !extendedResources.isEmpty();
    }

    /** Whether a scheduler has tried the pod and refused it, or failed because of what it requests. */
    public static boolean isRefused(Pod pod) {
        return isPending(pod)
                && PodState.scheduled(pod)
                        .filter(condition -> condition.getStatus().equals("False"))
                        .filter(condition -> PodState.UNSCHEDULABLE.equals(condition.getReason())
                                || SchedulerWords.areAboutDevices(condition))
                        .isPresent();
    }

    /** Whether the pod waits for a node. */
    public static boolean isPending(Pod pod) {
        return UnreadableFields.isReadable(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && !PodState.isBound(pod)
                && !PodState.hasEnded(pod);
    }

    /** Whether its scheduler reports that only devices are missing, on all nodes that fit it otherwise. */
    public boolean isRefusedForDevices(Collection<SchedulableNode> nodes) {
        return SchedulerWords.of(pod)
                .filter(words -> words.blameDevicesOn(fitting(nodes).size()))
                .isPresent();
    }

    public boolean anyDevices() {
        return !claims.isEmpty() || !extendedResources.isEmpty();
    }

    /**
     * Equal for pods of a namespace with the same explanation. A pod with several claims has a key of its own, because its explanation
     * names the claims.
     */
    public Object key() {
        return List.of(pod.getMetadata().getNamespace(), requirements());
    }

    /** Equal for pods in all namespaces that wait for the same devices. */
    public Object requirements() {
        return isUnique
                ? pod.getMetadata().getUid()
                : List.of(
                        String.valueOf(pod.getSpec().getSchedulerName()),
                        isRefused(pod),
                        claims.get(0).requests(),
                        claims.get(0).constraints(),
                        fit.key());
    }

    /** The problem of the pod itself, for pods of schedulers other than the companion. */
    public Optional<EventText> problem(Collection<SchedulableNode> nodes) {
        if (!isRefused(pod)) {
            return claimProblem();
        }
        // In a cluster where devices serve no extended resources, these are not the problem.
        return claimProblem(nodes).or(() -> classes.areNamed() ? unserved(nodes) : Optional.empty());
    }

    /** The problem of the pod itself, for pods of any scheduler, whether or not it has tried them. */
    public Optional<EventText> anyProblem(Collection<SchedulableNode> nodes) {
        return claimProblem(nodes).or(() -> unserved(nodes));
    }

    /** The problem of the pod's claims, regardless of free devices. */
    public Optional<EventText> claimProblem() {
        var problems = new ArrayList<>(podClaims.waitingFor());
        podClaims.claims().stream()
                .filter(claim -> claim.getMetadata().getDeletionTimestamp() != null)
                .map(ClaimProblems::beingDeleted)
                .forEach(problems::add);
        podClaims.claims().stream()
                .flatMap(claim -> ClaimProblems.fullyReserved(pod, claim).stream())
                .forEach(problems::add);
        return problems.isEmpty() ? Optional.empty() : Optional.of(EventText.claimsUnavailable(problems));
    }

    private Optional<EventText> claimProblem(Collection<SchedulableNode> nodes) {
        return claimProblem()
                .or(() -> ClaimProblems.elsewhere(pod, podClaims.claims(), nodes, fit)
                        .map(problem -> EventText.claimsUnavailable(List.of(problem))));
    }

    private Optional<EventText> unserved(Collection<SchedulableNode> nodes) {
        return classes.unserved(fit.requests(), nodes).map(EventText::notServed);
    }

    /** @see OtherNodes#of */
    public OtherNodes otherNodes(Collection<SchedulableNode> nodes, Explanation here, Predicate<NodeInfo> serves) {
        return otherNodes(candidates(nodes), nodes, here, serves);
    }

    /** Nodes that do not fit are not counted if fields of the pod that are not examined may exclude more. */
    OtherNodes otherNodes(
            NodeCandidates candidates,
            Collection<SchedulableNode> nodes,
            Explanation here,
            Predicate<NodeInfo> serves) {
        OtherNodes others = OtherNodes.of(here, candidates, nodes, serves);
        return PlacementFacts.notExamined(pod).isEmpty() ? others : others.withoutCount();
    }

    NodeCandidates candidates(Collection<SchedulableNode> nodes) {
        return new NodeCandidates(nodes, fit);
    }

    /** The nodes of a pod that has one. */
    NodeCandidates itsNode(List<SchedulableNode> node) {
        return NodeCandidates.fitting(node, fit);
    }

    public List<SchedulableNode> fitting(Collection<SchedulableNode> nodes) {
        return nodes.stream().filter(fit::fits).toList();
    }

    /** Whether no node fits the pod, and the taint of simulated nodes is the reason on at least one. */
    public boolean isKeptOffSimulatedNodes(Collection<SchedulableNode> nodes) {
        return fitting(nodes).isEmpty()
                && nodes.stream().anyMatch(node -> NodeFit.isKeptOffAsSimulated(node.stored(), pod));
    }

    /** The nodes that do not fit, by reason; a node that lacks several resources occurs for each of them. */
    public SortedMap<String, List<String>> unfit(Collection<SchedulableNode> nodes) {
        var names = new TreeMap<String, List<String>>();
        nodes.forEach(node -> fit.problems(node)
                .forEach(problem -> names.computeIfAbsent(problem, ignored -> new ArrayList<>())
                        .add(node.name())));
        return names;
    }

    /** What the devices of a pod take of a node: those found for {@link #claims}, and those of allocated claims. */
    public DeviceFootprint footprint(SchedulableNode node, List<Claim> forClaims, List<Allocation> found) {
        return fit.withDevices().on(node, forClaims, found);
    }

    /** Why a node has too little for what devices take; empty if it has enough. */
    public List<String> problems(SchedulableNode node, DeviceFootprint footprint) {
        return fit.withDevices().problems(node, footprint);
    }

    /** The pod as a member of its gang. */
    GangResources.Member asMember() {
        return new GangResources.Member(pod, fit, this::claims);
    }

    /** Equal for members of a gang that can use the same nodes and devices. */
    Object keyInGang(Set<ClaimRef> shared) {
        return GangResources.key(pod, fit, podClaims, shared);
    }

    /** The claims that have no devices yet, without the one for extended resources. */
    List<Claim> unallocated() {
        return claims;
    }

    /** {@link #claims(List)} on a node. */
    List<Claim> claims(SchedulableNode node) {
        return claims(List.of(node));
    }

    /** The unallocated claims, plus one for the extended resources that no device plugin on the nodes provides. */
    public List<Claim> claims(List<SchedulableNode> fitting) {
        return extendedResourceClaim(fitting)
                .map(claim -> Stream.concat(claims.stream(), Stream.of(ClaimReader.read(claim)))
                        .toList())
                .orElse(claims);
    }

    /** The claim for the extended resources that no device plugin on the nodes provides. */
    Optional<ResourceClaim> extendedResourceClaim(List<SchedulableNode> fitting) {
        SortedSet<String> fromDevices = fromDevices(fitting);
        return fromDevices.isEmpty()
                ? Optional.empty()
                : Optional.of(claim(fromDevices).claim());
    }

    /** Converts sentences about {@link #claims} to the pod's own terms. */
    public UnaryOperator<String> wording(List<SchedulableNode> fitting) {
        SortedSet<String> fromDevices = fromDevices(fitting);
        return fromDevices.isEmpty() ? UnaryOperator.identity() : claim(fromDevices)::inWordsOfPod;
    }

    /** The container and resource for each request of {@link #claims} that serves extended resources, by the name of the request. */
    public Map<String, String> requestWords(List<SchedulableNode> fitting) {
        SortedSet<String> fromDevices = fromDevices(fitting);
        return fromDevices.isEmpty() ? Map.of() : claim(fromDevices).words();
    }

    private ExtendedResourceClaim claim(SortedSet<String> fromDevices) {
        return extendedResourceClaim.computeIfAbsent(
                fromDevices, resources -> ExtendedResourceClaim.of(pod, resources, classes));
    }

    private SortedSet<String> fromDevices(List<SchedulableNode> fitting) {
        return fitting.isEmpty()
                ? extendedResources
                : classes.neededOn(fitting.get(0).stored(), extendedResources);
    }

    public static List<NodeInfo> devices(List<SchedulableNode> nodes) {
        return nodes.stream().map(SchedulableNode::devices).toList();
    }
}
