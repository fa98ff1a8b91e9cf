package dev.fakegpu.explainer;

import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
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
import java.util.SortedSet;

/** The devices and the resources that a refused pod requests. */
final class PodDemand {

    private final Pod pod;
    private final PodFit fit;
    private final List<Claim> claims;
    private final SortedSet<String> extendedResources;
    private final ExtendedResources classes;
    private final boolean isUnique;

    PodDemand(Pod pod, PodClaims podClaims, NodeUsage usage, ExtendedResources classes) {
        this.pod = pod;
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
        return isUnique
                ? pod.getMetadata().getUid()
                : List.of(
                        pod.getMetadata().getNamespace(),
                        String.valueOf(pod.getSpec().getSchedulerName()),
                        claims.get(0).requests(),
                        claims.get(0).constraints(),
                        fit.key());
    }

    List<SchedulableNode> fitting(Collection<SchedulableNode> nodes) {
        return nodes.stream().filter(fit::fits).toList();
    }

    /** The unallocated claims, plus one for the extended resources that no device plugin on the nodes provides. */
    List<Claim> claims(List<SchedulableNode> fitting) {
        SortedSet<String> fromDevices = fitting.isEmpty()
                ? extendedResources
                : classes.neededOn(fitting.get(0).stored(), extendedResources);
        if (fromDevices.isEmpty()) {
            return claims;
        }
        var all = new ArrayList<>(claims);
        all.add(ClaimReader.read(
                ExtendedResourceClaim.of(pod, fromDevices, classes).claim()));
        return all;
    }

    static List<NodeInfo> devices(List<SchedulableNode> nodes) {
        return nodes.stream().map(SchedulableNode::devices).toList();
    }
}
