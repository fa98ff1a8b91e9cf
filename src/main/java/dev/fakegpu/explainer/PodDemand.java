package dev.fakegpu.explainer;

import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.schedule.fit.ClaimProblems;
import dev.fakegpu.schedule.fit.ExtendedResourceClaim;
import dev.fakegpu.schedule.fit.ExtendedResources;
import dev.fakegpu.schedule.fit.NodeUsage;
import dev.fakegpu.schedule.fit.PodFit;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** The devices and the resources that a pending pod requests. */
final class PodDemand {

    private final Pod pod;
    private final PodClaims podClaims;
    private final PodFit fit;
    private final List<Claim> claims;
    private final SortedSet<String> extendedResources;
    private final ExtendedResources classes;
    private final boolean isUnique;

    PodDemand(Pod pod, PodClaims podClaims, NodeUsage usage, ExtendedResources classes) {
        this.pod = pod;
        this.podClaims = podClaims;
        this.classes = classes;
        fit = new PodFit(pod, podClaims.claims(), usage, classes);
        claims = podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .map(ClaimReader::read)
                .toList();
        extendedResources = classes.among(fit.requests());
        isUnique = claims.size() != 1 || podClaims.claims().size() != 1 || !extendedResources.isEmpty();
    }

    boolean anyDevices() {
        return !claims.isEmpty() || !extendedResources.isEmpty();
    }

    /** Equal for pods of a namespace with the same explanation. A pod with several claims has its own explanation, since that names the claims. */
    Object key() {
        return List.of(pod.getMetadata().getNamespace(), requirements());
    }

    /** Equal for pods of all namespaces that wait for the same devices. */
    Object requirements() {
        return isUnique
                ? pod.getMetadata().getUid()
                : List.of(
                        String.valueOf(pod.getSpec().getSchedulerName()),
                        PendingWatchlist.isRefused(pod),
                        claims.get(0).requests(),
                        claims.get(0).constraints(),
                        fit.key());
    }

    /** What is wrong with the pod itself, for pods of other schedulers than the companion. */
    Optional<EventText> problem(Collection<SchedulableNode> nodes) {
        List<String> ofClaims = claimProblems(nodes);
        return ofClaims.isEmpty()
                ? unserved(nodes).map(EventText::notServed)
                : Optional.of(EventText.claimsUnavailable(ofClaims));
    }

    /** What is wrong with the pod's claims, whatever devices are free. */
    private List<String> claimProblems(Collection<SchedulableNode> nodes) {
        var problems = new ArrayList<>(podClaims.waitingFor());
        podClaims.claims().stream()
                .filter(claim -> claim.getMetadata().getDeletionTimestamp() != null)
                .map(ClaimProblems::beingDeleted)
                .forEach(problems::add);
        if (problems.isEmpty() && PendingWatchlist.isRefused(pod)) {
            ClaimProblems.elsewhere(pod, podClaims.claims(), nodes, fit).ifPresent(problems::add);
        }
        return problems;
    }

    /** What is wrong with the pod's extended resources, in a cluster where devices serve any. */
    private Optional<String> unserved(Collection<SchedulableNode> nodes) {
        return classes.areNamed() && PendingWatchlist.isRefused(pod)
                ? classes.unserved(fit.requests(), nodes)
                : Optional.empty();
    }

    List<SchedulableNode> fitting(Collection<SchedulableNode> nodes) {
        return nodes.stream().filter(fit::fits).toList();
    }

    /** The unallocated claims, plus one for the extended resources that no device plugin on the nodes provides. */
    List<Claim> claims(List<SchedulableNode> fitting) {
        SortedSet<String> fromDevices = fromDevices(fitting);
        if (fromDevices.isEmpty()) {
            return claims;
        }
        var all = new ArrayList<>(claims);
        all.add(ClaimReader.read(
                ExtendedResourceClaim.of(pod, fromDevices, classes).claim()));
        return all;
    }

    /** An explanation of {@link #claims} in words of the pod. */
    EventText worded(EventText text, List<SchedulableNode> fitting) {
        SortedSet<String> fromDevices = fromDevices(fitting);
        return fromDevices.isEmpty()
                ? text
                : text.map(ExtendedResourceClaim.of(pod, fromDevices, classes)::inWordsOfPod);
    }

    private SortedSet<String> fromDevices(List<SchedulableNode> fitting) {
        return fitting.isEmpty()
                ? extendedResources
                : classes.neededOn(fitting.get(0).stored(), extendedResources);
    }

    static List<NodeInfo> devices(List<SchedulableNode> nodes) {
        return nodes.stream().map(SchedulableNode::devices).toList();
    }
}
