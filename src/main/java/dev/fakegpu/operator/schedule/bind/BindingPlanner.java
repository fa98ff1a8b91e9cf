package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.cluster.fit.BindingConditions;
import dev.fakegpu.cluster.fit.ExtendedResourceClaim;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.PodRequirements;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns a placement into a plan of writes. Not thread-safe. */
public final class BindingPlanner {

    private final SchedulerCache cache;
    private final Ticker ticker;

    public BindingPlanner(SchedulerCache cache, Ticker ticker) {
        this.cache = cache;
        this.ticker = ticker;
    }

    /** The plan for a claim without a pod. */
    public BindingPlan forClaim(QueueItem item, ResourceClaim claim, Allocation allocation) {
        return new BindingPlan(
                item, null, null, List.of(allocate(claim, List.of(), allocation, null)), ticker.now(), cache.options());
    }

    /** The plan for a pod. The pod is not bound yet while a claim has unmet binding conditions. */
    public BindingPlan forPod(QueueItem item, PodRequirements requirements, NodeSearch.Placement placement) {
        Pod pod = requirements.pod();
        var steps = new ArrayList<BindingPlan.Step>();
        int unallocated = 0;
        boolean isReady = true;
        for (ResourceClaim claim : requirements.podClaims().claims()) {
            if (!Allocations.isAllocated(claim)) {
                var allocation = placement.allocations().get(unallocated++);
                steps.add(allocate(claim, List.of(consumer(pod, claim)), allocation, null));
                isReady &= !BindingConditions.areIn(allocation);
            } else {
                if (!PodClaims.isReservedFor(claim, pod)) {
                    steps.add(BindingPlan.Step.reserve(claim, List.of(consumer(pod, claim))));
                }
                isReady &= BindingConditions.areMet(claim);
            }
        }
        var extendedResourceClaim = cache.node(placement.node()).flatMap(requirements::extendedResourceClaim);
        if (extendedResourceClaim.isPresent()) {
            var allocation = placement.allocations().get(unallocated);
            var claim = extendedResourceClaim.get();
            steps.add(allocate(claim.claim(), List.of(consumer(pod, claim.claim())), allocation, claim));
            isReady &= !BindingConditions.areIn(allocation);
        }
        boolean waits = !isReady && cache.options().features().contains(Feature.DEVICE_BINDING_AND_STATUS);
        String node = PodState.isBound(pod) || waits ? null : placement.node();
        Pod planned = waits ? pod : withUses(requirements, placement);
        return new BindingPlan(item, planned, node, steps, ticker.now(), cache.options());
    }

    /**
     * Returns the pod with what its devices take of the node, which replaces what an earlier decision recorded. What devices of extended
     * resources take is left out, because the API has no field for it.
     */
    private Pod withUses(PodRequirements requirements, NodeSearch.Placement placement) {
        Pod pod = requirements.pod();
        Set<String> referenced = pod.getSpec().getResourceClaims().stream()
                .flatMap(reference -> PodClaims.claimName(pod, reference.getName()).stream())
                .collect(Collectors.toSet());
        List<NodeAllocatableUse> uses = cache
                .node(placement.node())
                .map(node ->
                        requirements.footprint(node, placement.allocations()).uses())
                .orElse(List.of())
                .stream()
                .filter(use -> referenced.contains(use.claim()))
                .toList();
        return uses.equals(NodeAllocatableUses.of(pod)) ? pod : NodeAllocatableUses.in(pod, uses);
    }

    /** A pod of a gang and its placement. */
    public record Placed(QueueItem item, PodRequirements requirements, NodeSearch.Placement placement) {}

    /**
     * The next plans for pods that are placed all or none: for the claims of all pods first and, once these are written, for their
     * bindings. Claims for extended resources are written together with the bindings.
     */
    public List<BindingPlan> forGang(List<Placed> pods) {
        var users = new HashMap<String, List<Placed>>();
        pods.forEach(pod -> pod.requirements()
                .podClaims()
                .claims()
                .forEach(claim -> users.computeIfAbsent(claim.getMetadata().getUid(), ignored -> new ArrayList<>())
                        .add(pod)));
        List<BindingPlan> claims = pods.stream()
                .map(pod -> ofClaims(pod, users))
                .filter(plan -> !plan.steps().isEmpty())
                .toList();
        return claims.isEmpty()
                ? pods.stream()
                        .map(pod -> forPod(pod.item(), pod.requirements(), pod.placement()))
                        .toList()
                : claims;
    }

    /**
     * @param users the pods that use a claim, by UID of each claim that is not planned yet; the claim is reserved for all of them at once
     */
    private BindingPlan ofClaims(Placed pod, Map<String, List<Placed>> users) {
        var steps = new ArrayList<BindingPlan.Step>();
        int unallocated = 0;
        for (ResourceClaim claim : pod.requirements().podClaims().claims()) {
            @Nullable Allocation allocation = Allocations.isAllocated(claim)
                    ? null
                    : pod.placement().allocations().get(unallocated++);
            var consumers = consumers(claim, users.remove(claim.getMetadata().getUid()));
            if (!consumers.isEmpty()) {
                steps.add(
                        allocation == null
                                ? BindingPlan.Step.reserve(claim, consumers)
                                : allocate(claim, consumers, allocation, null));
            }
        }
        return new BindingPlan(pod.item(), pod.requirements().pod(), null, steps, ticker.now(), cache.options());
    }

    private List<ResourceClaimConsumerReference> consumers(ResourceClaim claim, @Nullable List<Placed> users) {
        return Stream.ofNullable(users)
                .flatMap(List::stream)
                .map(user -> user.requirements().pod())
                .filter(pod -> !PodClaims.isReservedFor(claim, pod))
                .map(pod -> consumer(pod, claim))
                .distinct()
                .toList();
    }

    private ResourceClaimConsumerReference consumer(Pod pod, ResourceClaim claim) {
        return PodClaims.consumer(pod, claim, cache.podGroup(pod));
    }

    private BindingPlan.Step allocate(
            ResourceClaim claim,
            List<ResourceClaimConsumerReference> consumers,
            Allocation allocation,
            @Nullable ExtendedResourceClaim extendedResourceClaim) {
        var groups = new LinkedHashMap<DeviceId, CompatibilityGroups>();
        allocation.results().stream()
                .map(Allocation.Result::device)
                .forEach(device -> groups.computeIfAbsent(
                        device, id -> cache.slices().groups(id).orElseThrow()));
        return new BindingPlan.Step(
                claim,
                consumers,
                allocation,
                devices(claim, allocation, groups),
                cache.profile().recordsGroups() ? statuses(allocation, groups) : List.of(),
                extendedResourceClaim);
    }

    private static List<AllocatedDeviceStatus> statuses(
            Allocation allocation, Map<DeviceId, CompatibilityGroups> groups) {
        return allocation.results().stream()
                .map(result -> DeviceStatuses.ofShare(
                        DeviceStatuses.ofSnapshot(result.device(), Objects.requireNonNull(groups.get(result.device()))),
                        result.share() == null ? null : result.share().id()))
                .distinct()
                .toList();
    }

    private static List<AllocatedDevice> devices(
            ResourceClaim claim, Allocation allocation, Map<DeviceId, CompatibilityGroups> groups) {
        return allocation.results().stream()
                .filter(result -> !result.adminAccess())
                .map(result -> new AllocatedDevice(
                        result.device(),
                        ClaimReader.ref(claim),
                        Objects.requireNonNull(groups.get(result.device())),
                        result.share()))
                .toList();
    }
}
