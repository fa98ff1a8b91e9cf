package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.dra.wire.NodeSelectors;
import dev.fakegpu.engine.explain.finding.ClaimUse;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sentences about problems that keep a pod from using its existing claims, regardless of free devices. They name only objects of the pod's
 * namespace, nodes and finalizers.
 */
public final class ClaimProblems {

    private static final int MAX_LISTED = 3;

    private ClaimProblems() {}

    /** A claim that is being deleted, with the finalizers that are still present and the pods that still use the claim. */
    public static String beingDeleted(ResourceClaim claim) {
        List<String> finalizers = claim.getMetadata().getFinalizers();
        String waits = finalizers.isEmpty()
                ? ""
                : ", which waits for %s %s"
                        .formatted(finalizers.size() == 1 ? "finalizer" : "finalizers", quoted(finalizers));
        return "ResourceClaim \"%s\" is being deleted%s%s"
                .formatted(claim.getMetadata().getName(), waits, users(claim, " and for "));
    }

    /**
     * A claim that the pod cannot use because it has the maximum number of consumers; empty if it has fewer. kube-scheduler's message is
     * {@code resourceclaim in use}.
     */
    public static Optional<String> fullyReserved(Pod pod, ResourceClaim claim) {
        return Allocations.isAllocated(claim)
                        && !PodClaims.isReservedFor(claim, pod)
                        && claim.getStatus().getReservedFor().size() >= Limits.RESERVATIONS
                ? Optional.of("ResourceClaim \"%s\" is reserved for %d consumers, which is the most that the API allows"
                        .formatted(claim.getMetadata().getName(), Limits.RESERVATIONS))
                : Optional.empty();
    }

    /**
     * The names of claims that would be released after their allocation unless others use them: kube-controller-manager reserves the claims
     * in the spec of every pod that has a node ({@code podNeedsWork} in {@code pkg/controller/resourceclaim}), and releases claims whose
     * pods have ended. It does not reserve a claim for the pod if the pod's PodGroup shares it.
     *
     * @param group the pod's group; empty if it has none, or if groups are not known
     */
    public static Stream<String> releasedClaims(Pod pod, Optional<PodGroup> group) {
        return PodState.isBound(pod)
                        && PodState.hasEnded(pod)
                        && pod.getMetadata().getDeletionTimestamp() == null
                ? PodClaims.ownNames(pod, group)
                : Stream.empty();
    }

    /** A claim that such a pod names. */
    public static String wouldBeReleased(Pod ended) {
        return ("pod \"%s\" has ended, but still refers to it, so kube-controller-manager would release its devices; delete the pod")
                .formatted(ended.getMetadata().getName());
    }

    /** The only node that can access the devices of a claim, if it is not among the given nodes. */
    public static Optional<String> goneNode(ResourceClaim claim, Collection<SchedulableNode> nodes) {
        return selector(claim)
                .flatMap(NodeSelector::onlyNode)
                .filter(name -> nodes.stream().noneMatch(node -> node.name().equals(name)));
    }

    /**
     * A claim whose devices a node cannot use; empty if it can use them. Schedulers take care of this, and kubelets do not, so it concerns
     * pods whose creator chose their node.
     */
    public static Optional<String> outOfReach(ResourceClaim claim, SchedulableNode node) {
        return reaches(claim, node)
                ? Optional.empty()
                : ofAnotherNode(claim, node.name())
                        .or(() -> Optional.of("node %s cannot use its devices".formatted(node.name())));
    }

    /** The same for a node whose labels are not known, if only one other node can use the devices. */
    public static Optional<String> ofAnotherNode(ResourceClaim claim, String node) {
        return selector(claim)
                .flatMap(NodeSelector::onlyNode)
                .filter(only -> !only.equals(node))
                .map(only ->
                        "its devices can be used on node %s only, and the pod is on node %s".formatted(only, node));
    }

    /** The finalizers and users on which {@link #beingDeleted} depends. */
    public static Object deletion(ResourceClaim claim) {
        return claim.getMetadata().getDeletionTimestamp() == null ? "" : beingDeleted(claim);
    }

    /**
     * Claims that are allocated where the pod cannot run: the node of each, the pods that use it there, and why the pod does not fit.
     *
     * @param claims of the pod
     * @param nodes all nodes
     * @param fit of the pod
     * @return empty if a fitting node can access all allocated claims, or if none is allocated
     */
    public static Optional<String> elsewhere(
            Pod pod, List<ResourceClaim> claims, Collection<SchedulableNode> nodes, PodFit fit) {
        List<ResourceClaim> bound =
                claims.stream().filter(claim -> selector(claim).isPresent()).toList();
        if (bound.isEmpty() || nodes.stream().anyMatch(fit::fits)) {
            return Optional.empty();
        }
        List<SchedulableNode> common = nodes.stream()
                .filter(node -> bound.stream().allMatch(claim -> reaches(claim, node)))
                .toList();
        String where = bound.stream()
                .limit(MAX_LISTED)
                .map(claim -> allocated(pod, claim, nodes))
                .collect(Collectors.joining(", "));
        return Optional.of(where + obstacle(bound.size(), common, fit::details));
    }

    private static String obstacle(
            int claims, List<SchedulableNode> common, Function<SchedulableNode, List<String>> problems) {
        if (common.isEmpty()) {
            return claims > 1 ? "; no node can use all of them" : "; delete the claim";
        }
        return common.stream()
                .flatMap(node -> problems.apply(node).stream())
                .distinct()
                .limit(MAX_LISTED)
                .collect(Collectors.joining(", ", ", where the pod does not fit: ", ""));
    }

    private static String allocated(Pod pod, ResourceClaim claim, Collection<SchedulableNode> nodes) {
        List<String> reached = nodes.stream()
                .filter(node -> reaches(claim, node))
                .map(SchedulableNode::name)
                .sorted()
                .toList();
        String others = othersThan(pod, claim);
        return "ResourceClaim \"%s\" is allocated on %s%s"
                .formatted(
                        claim.getMetadata().getName(),
                        reached.isEmpty()
                                ? goneNode(claim, nodes)
                                        .map(node -> "node " + node + ", which does not exist")
                                        .orElse("a node that does not exist")
                                : listed(reached),
                        others.isEmpty() ? "" : " (used by " + others + ")");
    }

    private static boolean reaches(ResourceClaim claim, SchedulableNode node) {
        return selector(claim)
                .map(selector -> selector.matches(node.name(), node.devices().labels()))
                .orElse(true);
    }

    private static Optional<NodeSelector> selector(ResourceClaim claim) {
        return Allocations.isAllocated(claim)
                ? Optional.ofNullable(claim.getStatus().getAllocation().getNodeSelector())
                        .map(NodeSelectors::read)
                : Optional.empty();
    }

    private static String othersThan(Pod pod, ResourceClaim claim) {
        return users(
                claim,
                pods(claim)
                        .filter(name -> !name.equals(pod.getMetadata().getName()))
                        .toList());
    }

    private static String users(ResourceClaim claim, String prefix) {
        String users = users(claim, pods(claim).toList());
        return users.isEmpty() ? "" : prefix + users;
    }

    private static String users(ResourceClaim claim, List<String> pods) {
        return new ClaimUse(pods, ClaimConsumers.others(claim), null, null).users();
    }

    private static Stream<String> pods(ResourceClaim claim) {
        return ClaimConsumers.pods(claim).map(ResourceClaimConsumerReference::getName);
    }

    private static String quoted(List<String> names) {
        return listed(names.stream().map(name -> '"' + name + '"').toList());
    }

    private static String listed(List<String> names) {
        String first = names.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        return names.size() > MAX_LISTED ? first + " and " + (names.size() - MAX_LISTED) + " more" : first;
    }
}
