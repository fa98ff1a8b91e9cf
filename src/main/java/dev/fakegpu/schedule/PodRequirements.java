package dev.fakegpu.schedule;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.schedule.fit.ExtendedResourceClaim;
import dev.fakegpu.schedule.fit.PodFit;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/** What a pod needs on a node: room, and devices for its claims and its extended resources. */
final class PodRequirements {

    private final Pod pod;
    private final PodClaims podClaims;
    private final SchedulerCache cache;
    private final PodFit fit;
    private final List<Claim> wanted;
    private final SortedSet<String> extended;
    private final Map<SortedSet<String>, ExtendedResourceClaim> special = new HashMap<>();

    PodRequirements(Pod pod, PodClaims podClaims, SchedulerCache cache) {
        this.pod = pod;
        this.podClaims = podClaims;
        this.cache = cache;
        fit = new PodFit(pod, podClaims.claims(), cache.usage(), cache.extendedResources());
        wanted = podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .map(ClaimReader::read)
                .toList();
        extended = cache.extendedResources().among(fit.requests());
    }

    Pod pod() {
        return pod;
    }

    PodClaims podClaims() {
        return podClaims;
    }

    PodFit fit() {
        return fit;
    }

    boolean fits(SchedulableNode node) {
        return PodState.isBound(pod) ? node.name().equals(pod.getSpec().getNodeName()) : fit.fits(node);
    }

    /** The claims that are to be allocated together on a node, that for extended resources last. */
    List<Claim> claims(SchedulableNode node) {
        return special(node)
                .map(claim -> {
                    var all = new ArrayList<>(wanted);
                    all.add(ClaimReader.read(claim.claim()));
                    return List.copyOf(all);
                })
                .orElse(wanted);
    }

    /** The claim for the extended resources that no device plugin of the node provides. */
    Optional<ExtendedResourceClaim> special(SchedulableNode node) {
        var needed = cache.extendedResources().neededOn(node.stored(), extended);
        return needed.isEmpty() || PodState.isBound(pod)
                ? Optional.empty()
                : Optional.of(special.computeIfAbsent(
                        needed, resources -> ExtendedResourceClaim.of(pod, resources, cache.extendedResources())));
    }

    /**
     * Equal for pods that can be served in the same way. A pod with an allocated claim is like no other. So is one with several
     * claims: what is said about it names them.
     */
    Object key(QueueItem item) {
        boolean isAlone = wanted.size() != 1 || podClaims.claims().size() != 1 || !extended.isEmpty();
        return isAlone || PodState.isBound(pod)
                ? item
                : List.of(wanted.get(0).requests(), wanted.get(0).constraints(), fit.key());
    }
}
