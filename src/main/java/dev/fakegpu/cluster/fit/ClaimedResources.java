package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Checks whether a node has enough resources for a pod once its claims have devices, which may also take resources of the node (KEP-5517).
 * Upstream: {@code plugins/dynamicresources/nodeallocatabledynamicresources.go}.
 */
public final class ClaimedResources {

    private static final Set<String> CHECKED = Set.of("cpu", "memory", "ephemeral-storage");

    private final Pod pod;
    private final NodeUsage usage;
    private final DeviceLookup devices;
    private final List<ResourceClaim> allocated;
    private final Optional<String> notShared;

    /** @param claims the claims of the pod */
    ClaimedResources(Pod pod, List<ResourceClaim> claims, NodeUsage usage, DeviceLookup devices) {
        this.pod = pod;
        this.usage = usage;
        this.devices = devices;
        allocated = claims.stream().filter(Allocations::isAllocated).toList();
        notShared = allocated.stream()
                .filter(claim -> isMapped(claim) && isOfOthers(claim))
                .findFirst()
                .map(claim -> FitMessages.notShared(claim.getMetadata().getName()));
    }

    private boolean isOfOthers(ResourceClaim claim) {
        return !claim.getStatus().getReservedFor().isEmpty() && !PodClaims.isReservedFor(claim, pod);
    }

    private boolean isMapped(ResourceClaim claim) {
        return isMapped(Allocations.results(claim).stream().map(Allocations::device));
    }

    /** Whether one of the devices takes resources of the node, so that pods cannot share it. */
    private boolean isMapped(Stream<DeviceId> ids) {
        return ids.flatMap(id -> devices.find(id, null).stream())
                .flatMap(device -> device.nodeAllocatableResources().values().stream())
                .anyMatch(resource -> resource.mapping() != null);
    }

    /** Why the pod fits no node: another pod has a claim that pods cannot share. */
    Optional<String> notShared() {
        return notShared;
    }

    /**
     * The footprint of the devices.
     *
     * @param claims the claims that have no devices yet
     * @param found their allocations, in the same order
     */
    public DeviceFootprint on(SchedulableNode node, List<Claim> claims, List<Allocation> found) {
        var byClaim = new HashMap<ClaimRef, DeviceFootprint.Allocated>();
        allocated.forEach(claim -> byClaim.put(ClaimReader.ref(claim), DeviceFootprint.Allocated.of(claim)));
        IntStream.range(0, found.size()).forEach(i -> {
            ClaimRef claim = claims.get(i).ref();
            byClaim.put(claim, DeviceFootprint.Allocated.of(claim, found.get(i)));
        });
        return DeviceFootprint.of(pod, List.copyOf(byClaim.values()), id -> devices.find(id, node.devices()));
    }

    /**
     * The footprint of the devices of a pod that is placed together with others.
     *
     * @param shared claims that other pods of the gang also use; their devices must not take resources of nodes
     */
    public DeviceFootprint ofGang(
            SchedulableNode node, List<Claim> claims, List<Allocation> found, Set<ClaimRef> shared) {
        return IntStream.range(0, found.size())
                .filter(i -> shared.contains(claims.get(i).ref()))
                .filter(i -> isMapped(found.get(i).results().stream().map(Allocation.Result::device)))
                .mapToObj(i -> DeviceFootprint.unknown(
                        FitMessages.notShared(claims.get(i).ref().name())))
                .findFirst()
                .orElseGet(() -> on(node, claims, found));
    }

    /** Why the node has too little for the pod and its devices; empty if it has enough. */
    public List<String> problems(SchedulableNode node, DeviceFootprint footprint) {
        if (footprint.problem() != null) {
            return List.of(footprint.problem());
        }
        if (footprint.uses().isEmpty()) {
            return List.of();
        }
        Optional<String> notCovered = PodLevelResources.notCovering(pod, footprint.uses());
        return notCovered.isPresent()
                ? List.of(notCovered.get())
                : shortages(node, footprint).stream().map(Shortage::message).toList();
    }

    /**
     * Returns the shortages of resources that devices take; other resources have already been checked without devices. As upstream ({@code
     * nodeFitsResources}), huge pages are checked even if none are requested: a node on which more are requested than it has is refused.
     */
    List<Shortage> shortages(SchedulableNode node, DeviceFootprint footprint) {
        Map<String, BigDecimal> requests = PodRequests.of(pod, footprint.uses());
        requests.entrySet()
                .removeIf(each -> !PodRequests.isHugePages(each.getKey())
                        && !(CHECKED.contains(each.getKey()) && each.getValue().signum() > 0));
        var ofDevices = new HashMap<String, BigDecimal>();
        footprint.uses().forEach(use -> PodRequests.add(ofDevices, use.amounts()));
        return usage.shortages(
                node.stored(), requests, ofDevices, pod.getMetadata().getNamespace());
    }

    /** Pods with equal keys have devices that take the same. */
    Object key() {
        long references = Stream.of(
                        pod.getSpec().getInitContainers(), pod.getSpec().getContainers())
                .flatMap(List::stream)
                .filter(container -> container.getResources() != null)
                .mapToLong(container -> container.getResources().getClaims().size())
                .sum();
        return List.of(references, PodLevelResources.key(pod));
    }
}
