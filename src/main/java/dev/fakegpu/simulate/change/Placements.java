package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.fit.NodeAdmission;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.NotPreparable;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.cluster.snapshot.SliceParser;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Records where pods and claims are placed in a simulation, and where else they could have been placed. Not thread-safe. */
final class Placements {

    /**
     * The placement of a pod or claim.
     *
     * @param devices the devices that it got, without those of claims that were already allocated or belong to the placement of another pod
     * @param otherNodes how many other nodes were possible at that time
     */
    record Placement(String node, List<DeviceId> devices, int otherNodes) {}

    private final Supplier<ClusterObjects> objects;
    private final Deciders deciders;

    /** The UIDs of placed pods and of claims with devices. They are not recorded until they lose these. */
    private final Set<String> before;

    private final Map<String, Placement> byUid = new HashMap<>();

    /** The UIDs of claims whose devices belong to the placement of one of their pods. */
    private final Set<String> listed = new HashSet<>();

    private final SliceParser parser = new SliceParser();
    private final Selectors selectors = Selectors.shared();

    /**
     * Creates the records.
     *
     * @param objects the current objects of the cluster
     * @param before the UIDs of the placed pods and of the claims that have devices, which are not recorded
     */
    Placements(Supplier<ClusterObjects> objects, Deciders deciders, Set<String> before) {
        this.objects = objects;
        this.deciders = deciders;
        this.before = new HashSet<>(before);
    }

    /** The placement of a pod or claim; empty if it was not placed, or was placed before the simulation. */
    Optional<Placement> of(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Records a pod as soon as it has a node and its devices, and an unused claim as soon as it has devices. */
    void changed(HasMetadata object) {
        String uid = object.getMetadata().getUid();
        if (object instanceof ResourceClaim claim && !Allocations.isAllocated(claim)) {
            before.remove(uid);
            byUid.remove(uid);
            listed.remove(uid);
        }
        if (before.contains(uid) || byUid.containsKey(uid)) {
            return;
        }
        if (object instanceof Pod pod && PodState.isBound(pod)) {
            note(pod, objects.get());
        } else if (object instanceof ResourceClaim claim && Allocations.isAllocated(claim)) {
            if (claim.getStatus().getReservedFor().isEmpty()) {
                of(claim).ifPresent(placement -> byUid.put(uid, placement));
            } else {
                noteUsers(claim);
            }
        }
    }

    /** Records pods that had a node before they had devices. */
    private void noteUsers(ResourceClaim claim) {
        Set<String> users = ClaimConsumers.pods(claim)
                .map(ResourceClaimConsumerReference::getUid)
                .filter(user -> !before.contains(user) && !byUid.containsKey(user))
                .collect(Collectors.toSet());
        if (!users.isEmpty()) {
            ClusterObjects now = objects.get();
            now.pods().stream()
                    .filter(pod -> users.contains(pod.getMetadata().getUid()))
                    .forEach(pod -> note(pod, now));
        }
    }

    private void note(Pod pod, ClusterObjects now) {
        if (isPlaced(pod, now)) {
            byUid.put(pod.getMetadata().getUid(), of(pod, now));
        }
    }

    /**
     * Whether a pod has a node and its devices, and these can be prepared. If its creator chose the node, it may lack devices, or have some
     * that the node cannot use; and the node may reject it, or not exist.
     */
    static boolean isPlaced(Pod pod, ClusterObjects cluster) {
        if (!PodState.isBound(pod) || PodState.hasEnded(pod)) {
            return PodState.isBound(pod) && !NodeAdmission.isRejected(pod);
        }
        var claims = PodClaims.of(pod, cluster::claim);
        return claims.areUsableBy(pod)
                && (PodState.isRunning(pod)
                        || (PodState.notStarted(pod).isEmpty()
                                && NotPreparable.nodeOf(pod, claims.claims(), cluster)
                                        .isEmpty()));
    }

    private Placement of(Pod pod, ClusterObjects now) {
        List<ResourceClaim> found = PodClaims.of(pod, now::claim).claims().stream()
                .filter(claim -> !before.contains(claim.getMetadata().getUid()))
                .toList();
        List<ResourceClaim> own =
                found.stream().filter(claim -> isOnlyFor(claim, pod)).toList();
        List<ResourceClaim> first = found.stream()
                .filter(claim -> listed.add(claim.getMetadata().getUid()))
                .toList();
        Pod again = new PodBuilder(pod)
                .editSpec()
                .withNodeName(null)
                .endSpec()
                .editOrNewStatus()
                .withExtendedResourceClaimStatus(null)
                .endStatus()
                .build();
        var changed = new ArrayList<HasMetadata>(List.of(again));
        own.stream().map(Placements::released).forEach(changed::add);
        Map<String, List<Allocation>> nodes =
                new FittingNodes(new ClusterSnapshot(now.with(changed), parser), deciders, selectors).of(again);
        String node = pod.getSpec().getNodeName();
        return new Placement(node, devices(first), others(nodes, node));
    }

    private static boolean isOnlyFor(ResourceClaim claim, Pod pod) {
        return Allocations.isAllocated(claim)
                && claim.getStatus().getReservedFor().stream()
                        .allMatch(user -> pod.getMetadata().getUid().equals(user.getUid()));
    }

    private static ResourceClaim released(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editStatus()
                .withAllocation(null)
                .withReservedFor(List.of())
                .endStatus()
                .build();
    }

    private static int others(Map<String, List<Allocation>> nodes, String chosen) {
        return nodes.size() - (nodes.containsKey(chosen) ? 1 : 0);
    }

    private static List<DeviceId> devices(List<ResourceClaim> claims) {
        return claims.stream()
                .flatMap(claim -> Allocations.results(claim).stream())
                .map(Allocations::device)
                .toList();
    }

    /** The placement of a claim that the companion allocates without a pod. Its node is the first one where it can be used. */
    private Optional<Placement> of(ResourceClaim claim) {
        ClusterObjects now = objects.get();
        Map<String, List<Allocation>> nodes =
                withoutPod(now.with(List.of(released(claim))), claim, Scheduler.COMPANION);
        List<DeviceId> devices = devices(List.of(claim));
        return Stream.concat(
                        nodes.entrySet().stream()
                                .filter(node -> devices(node.getValue().get(0)).equals(devices))
                                .map(Map.Entry::getKey),
                        nodes.keySet().stream())
                .findFirst()
                .map(node -> new Placement(node, devices, others(nodes, node)));
    }

    private Map<String, List<Allocation>> withoutPod(ClusterObjects state, ResourceClaim claim, Scheduler scheduler) {
        var snapshot = new ClusterSnapshot(state, parser);
        List<SchedulableNode> nodes = snapshot.nodes().stream()
                .filter(node -> NodeFit.problem(node.stored(), null).isEmpty())
                .toList();
        return new FittingNodes(snapshot, deciders, selectors).of(scheduler, List.of(ClaimReader.read(claim)), nodes);
    }

    private static List<DeviceId> devices(Allocation allocation) {
        return allocation.results().stream().map(Allocation.Result::device).toList();
    }

    /**
     * Where an unused claim that no scheduler allocates would be placed if a pod without other requirements used it.
     *
     * @param earlier claims that were placed in the same way and keep their devices
     */
    Optional<ForPod> forPod(ResourceClaim claim, List<ResourceClaim> earlier) {
        ClusterObjects now = objects.get().with(earlier);
        return Stream.of(Scheduler.KUBE_SCHEDULER, Scheduler.COMPANION)
                .map(scheduler -> withoutPod(now, claim, scheduler))
                .filter(nodes -> !nodes.isEmpty())
                .findFirst()
                .map(nodes -> ForPod.of(nodes, claim));
    }

    /** The placement of a claim, and the claim with the allocation. */
    record ForPod(Placement placement, ResourceClaim claim) {

        static ForPod of(Map<String, List<Allocation>> nodes, ResourceClaim claim) {
            var first = nodes.entrySet().iterator().next();
            Allocation allocation = first.getValue().get(0);
            return new ForPod(
                    new Placement(first.getKey(), devices(allocation), nodes.size() - 1),
                    new ResourceClaimBuilder(claim)
                            .editOrNewStatus()
                            .withAllocation(Allocations.write(allocation))
                            .endStatus()
                            .build());
        }
    }
}
