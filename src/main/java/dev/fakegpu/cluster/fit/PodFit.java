package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.NodeSelectors;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks nodes for one pod, except for devices that are not allocated yet; {@link #withDevices} continues after those are found. */
public final class PodFit {

    private final Pod pod;
    private final NodeUsage usage;
    private final Map<String, BigDecimal> requests;
    private final HostPorts ports;
    private final List<NodeSelector> reachable;
    private final ExtendedResources extended;
    private final @Nullable OtherPodsFit others;
    private final ClaimedResources resources;

    /**
     * For a pod.
     *
     * @param claims the claims of the pod
     * @param devices the devices of the claims, which may also take resources of the node
     * @param others null if it does not matter where other pods are
     */
    public PodFit(
            Pod pod,
            List<ResourceClaim> claims,
            NodeUsage usage,
            ExtendedResources extended,
            DeviceLookup devices,
            @Nullable OtherPodsFit others) {
        this.others = others;
        this.pod = pod;
        this.usage = usage;
        this.extended = extended;
        this.requests = PodRequests.of(pod);
        this.ports = HostPorts.of(pod);
        this.resources = new ClaimedResources(pod, claims, usage, devices);
        this.reachable = claims.stream()
                .filter(Allocations::isAllocated)
                .map(claim -> claim.getStatus().getAllocation().getNodeSelector())
                .filter(Objects::nonNull)
                .map(NodeSelectors::read)
                .toList();
    }

    public boolean fits(SchedulableNode node) {
        return reaches(node) && problems(node).isEmpty(); // the first check is cheap and rules out most nodes
    }

    /**
     * Why the node does not fit; empty if it does. As in kube-scheduler, the first filter that refuses the node gives the reason, and the
     * resource filter lists all resources that are short.
     */
    public List<String> problems(SchedulableNode node) {
        return problems(node, Shortage::message);
    }

    /** The same problems with amounts, for messages that name the node. */
    public List<String> details(SchedulableNode node) {
        return problems(node, Shortage::details);
    }

    private List<String> problems(SchedulableNode node, Function<Shortage, String> words) {
        List<String> problems = problem(node)
                .map(List::of)
                .orElseGet(() -> Stream.concat(
                                usage.isFull(node.stored()) ? Stream.of(FitMessages.tooManyPods()) : Stream.empty(),
                                usage.shortages(node.stored(), withoutDevices(node), Map.of(), namespace()).stream()
                                        .map(words))
                        .toList());
        if (problems.isEmpty() && resources.notShared().isPresent()) {
            return List.of(resources.notShared().get());
        }
        return problems.isEmpty() && others != null
                ? others.problem(node).map(List::of).orElse(problems)
                : problems;
    }

    /** The resources that are short, if this is the only problem of the node. */
    List<Shortage> shortages(SchedulableNode node) {
        return problem(node).isPresent()
                ? List.of()
                : usage.shortages(node.stored(), withoutDevices(node), Map.of(), namespace());
    }

    private String namespace() {
        return pod.getMetadata().getNamespace();
    }

    /** The overhead, which is the part of the pod's requests that is not from its containers. */
    BigDecimal overhead(String resource) {
        return PodRequests.amounts(pod.getSpec().getOverhead()).getOrDefault(resource, BigDecimal.ZERO);
    }

    private Optional<String> problem(SchedulableNode node) {
        return NodeFit.problem(node.stored(), pod)
                .or(() -> ports.ports().isEmpty() || ports.areFreeBeside(usage.ports(node.name()))
                        ? Optional.empty()
                        : Optional.of(FitMessages.portsNotFree()))
                .or(() -> unreachable(node));
    }

    /** The check that follows once the claims have devices. */
    public ClaimedResources withDevices() {
        return resources;
    }

    public Map<String, BigDecimal> requests() {
        return requests;
    }

    /** The requests that the node itself must serve, without extended resources that are served by devices. */
    private Map<String, BigDecimal> withoutDevices(SchedulableNode node) {
        var fromDevices = extended.neededOn(node.stored(), extended.among(requests));
        if (fromDevices.isEmpty()) {
            return requests;
        }
        var rest = new HashMap<>(requests);
        rest.keySet().removeAll(fromDevices);
        return rest;
    }

    private Optional<String> unreachable(SchedulableNode node) {
        return reaches(node) ? Optional.empty() : Optional.of(FitMessages.claimOutOfReach());
    }

    /** Whether the node can access the devices that the claims already have. */
    private boolean reaches(SchedulableNode node) {
        for (NodeSelector selector : reachable) {
            if (!selector.matches(node.name(), node.devices().labels())) {
                return false;
            }
        }
        return true;
    }

    /** Pods with equal keys fit the same nodes as long as none of their claims is allocated. */
    public Object key() {
        var spec = pod.getSpec();
        var ofNodes = List.of(
                Objects.requireNonNullElse(spec.getNodeSelector(), Map.of()),
                Optional.ofNullable(spec.getAffinity()),
                spec.getTolerations(),
                requests,
                ports,
                resources.key());
        return others == null || !others.matter()
                ? ofNodes
                : List.of(
                        ofNodes,
                        pod.getMetadata().getNamespace(),
                        SchedulableNode.labels(pod),
                        spec.getTopologySpreadConstraints());
    }
}
