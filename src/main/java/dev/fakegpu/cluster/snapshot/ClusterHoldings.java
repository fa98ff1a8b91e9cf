package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.cluster.holdings.Gpu;
import dev.fakegpu.cluster.holdings.HeldClaim;
import dev.fakegpu.cluster.holdings.Holdings;
import dev.fakegpu.cluster.holdings.Topology;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot.SnapshotSlice;
import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The holders of the devices of a cluster. */
public final class ClusterHoldings {
    private ClusterHoldings() {}

    /** All hardware with its holders. The companion's devices have the groups of the annotation, because the companion reads it. */
    public static List<Gpu> of(ClusterSnapshot snapshot) {
        return Holdings.of(
                snapshot.slices().stream().map(slice -> slice(snapshot, slice)).toList(),
                new HeldClaims().of(snapshot));
    }

    /** A text with the devices of all nodes by location, and their holders. */
    public static List<String> topology(ClusterSnapshot snapshot) {
        return Topology.lines(
                snapshot.slices().stream().map(slice -> slice(snapshot, slice)).toList(),
                new HeldClaims().of(snapshot));
    }

    /** Why the holders of devices are unknown: the caller may list neither slices nor any claims. Empty if something is known. */
    public static Optional<String> unknown(ClusterObjects objects) {
        return seesClaims(objects) || objects.isComplete(ObjectKind.SLICES)
                ? Optional.empty()
                : Optional.of("who holds devices is not known: you may list neither %s nor %s"
                        .formatted(ObjectKind.SLICES.resource(), ObjectKind.CLAIMS.resource()));
    }

    /** Why it is unknown which claims hold devices: the caller may not list any claims. Empty if some are known. */
    public static Optional<String> unknownHolders(ClusterObjects objects) {
        return seesClaims(objects)
                ? Optional.empty()
                : Optional.of(
                        "which claims hold devices is not known: you may not list " + ObjectKind.CLAIMS.resource());
    }

    /** Why it is unknown what the claims of a namespace hold: the caller may not list them. Empty if it is known. */
    public static Optional<String> unknownIn(String namespace, ClusterObjects objects) {
        return objects.isComplete(ObjectKind.CLAIMS)
                        || seesClaims(objects) && objects.isComplete(ObjectKind.CLAIMS, namespace)
                ? Optional.empty()
                : Optional.of("who holds devices in namespace \"%s\" is not known: you may not list %s there"
                        .formatted(namespace, ObjectKind.CLAIMS.resource()));
    }

    /**
     * Why it is unknown how many more claims fit: the caller may not list the devices, or none of the claims that may hold them. Empty if
     * it is known.
     */
    public static Optional<String> unknownRoom(ClusterObjects objects) {
        var unseen = new ArrayList<String>();
        if (!objects.isComplete(ObjectKind.SLICES)) {
            unseen.add(ObjectKind.SLICES.resource());
        }
        if (!seesClaims(objects)) {
            unseen.add(ObjectKind.CLAIMS.resource());
        }
        return unseen.isEmpty()
                ? Optional.empty()
                : Optional.of("how many more claims fit is not known: you may not list " + String.join(" or ", unseen));
    }

    /** Whether the claims of all namespaces, or of the caller's, are known. */
    private static boolean seesClaims(ClusterObjects objects) {
        return objects.unseen().stream()
                .noneMatch(unseen -> unseen.kind() == ObjectKind.CLAIMS
                        && unseen.cause() == Unseen.Cause.FORBIDDEN
                        && unseen.namespace() != null);
    }

    /** A slice as its allocator sees it. */
    public static Slice slice(ClusterSnapshot snapshot, SnapshotSlice slice) {
        return snapshot.scheduler(slice) == Scheduler.COMPANION ? slice.withGroups() : slice.asStored();
    }

    static HeldClaim held(ResourceClaim claim, List<String> notes) {
        return new HeldClaim(
                ClaimReader.ref(claim),
                Instant.parse(claim.getMetadata().getCreationTimestamp()),
                DeviceStatuses.allocated(claim),
                ClaimConsumers.pods(claim).map(consumer -> consumer.getName()).toList(),
                ClaimConsumers.others(claim),
                classes(claim),
                preparations(claim),
                notes);
    }

    /** The names of the device classes that a claim requests, without duplicates. */
    public static List<String> classes(ResourceClaim claim) {
        if (claim.getSpec() == null || claim.getSpec().getDevices() == null) {
            return List.of();
        }
        return claim.getSpec().getDevices().getRequests().stream()
                .flatMap(ClusterHoldings::classes)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    private static Stream<String> classes(DeviceRequest request) {
        return request.getExactly() != null
                ? Stream.of(request.getExactly().getDeviceClassName())
                : request.getFirstAvailable().stream().map(DeviceSubRequest::getDeviceClassName);
    }

    private static Map<DeviceId, HeldClaim.Preparation> preparations(ResourceClaim claim) {
        Map<DeviceId, HeldClaim.Preparation> known = new HashMap<>();
        for (DeviceId device : Allocations.devices(claim)) {
            DeviceStatuses.readyCondition(claim, device)
                    .filter(ready -> DeviceStatuses.PREPARED.equals(ready.getReason())
                            || DeviceStatuses.PREPARE_FAILED.equals(ready.getReason()))
                    .ifPresent(ready -> known.put(
                            device,
                            new HeldClaim.Preparation(
                                    DeviceStatuses.PREPARED.equals(ready.getReason()),
                                    Objects.requireNonNullElse(ready.getMessage(), ""))));
        }
        return known;
    }

    /** What the devices also take of the pod's node (KEP-5517). */
    private static Optional<String> taken(Pod pod, ResourceClaim claim) {
        return NodeAllocatableUses.of(pod).stream()
                .filter(use -> use.claim().equals(claim.getMetadata().getName()))
                .map(use -> use.ofPod().entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(", ", "takes ", " of the node")))
                .findFirst();
    }

    static List<String> notes(ResourceClaim claim, ClusterSnapshot snapshot, NotPreparable notPreparable) {
        ClaimRef ref = ClaimReader.ref(claim);
        var notes = new ArrayList<String>();
        Optional.ofNullable(snapshot.users().of(ref).ending()).ifPresent(notes::add);
        List<ClaimConsumer> others = ClaimConsumers.others(claim);
        if (!others.isEmpty()) {
            notes.add("reserved for " + ClaimConsumer.text(others));
        }
        if (snapshot.objects().isComplete(ObjectKind.PODS)
                || snapshot.objects().isComplete(ObjectKind.PODS, ref.namespace())) {
            ClaimConsumers.pods(claim)
                    .flatMap(consumer -> snapshot.objects()
                            .pod(ref.namespace(), consumer.getName())
                            .filter(pod -> pod.getMetadata().getUid().equals(consumer.getUid()))
                            .map(pod ->
                                    Stream.concat(taken(pod, claim).stream(), notPreparable.note(pod, claim).stream()))
                            .orElse(Stream.of("pod \"%s\" does not exist".formatted(consumer.getName()))))
                    .forEach(notes::add);
        }
        return notes;
    }
}
