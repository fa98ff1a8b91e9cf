package dev.fakegpu.cli;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.holdings.HeldClaim;
import dev.fakegpu.snapshot.ClusterSnapshot;
import dev.fakegpu.snapshot.ObjectKind;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The allocated claims of a cluster, with who uses them. */
final class HeldClaims {
    private HeldClaims() {}

    static List<HeldClaim> of(ClusterSnapshot snapshot) {
        return snapshot.objects().claims().stream()
                .filter(Allocations::isAllocated)
                .map(claim -> held(claim, snapshot))
                .toList();
    }

    private static HeldClaim held(ResourceClaim claim, ClusterSnapshot snapshot) {
        ClaimRef ref = ClaimReader.ref(claim);
        return new HeldClaim(
                ref,
                Instant.parse(claim.getMetadata().getCreationTimestamp()),
                DeviceStatuses.allocated(claim),
                claim.getStatus().getReservedFor().stream()
                        .filter(consumer -> "pods".equals(consumer.getResource()))
                        .map(consumer -> consumer.getName())
                        .toList(),
                notes(claim, ref, snapshot));
    }

    private static List<String> notes(ResourceClaim claim, ClaimRef ref, ClusterSnapshot snapshot) {
        var notes = new ArrayList<String>();
        Optional.ofNullable(snapshot.users().of(ref).ending()).ifPresent(notes::add);
        if (snapshot.objects().isComplete(ObjectKind.PODS)
                || snapshot.objects().isComplete(ObjectKind.PODS, ref.namespace())) {
            claim.getStatus().getReservedFor().stream()
                    .filter(consumer -> "pods".equals(consumer.getResource()))
                    .filter(consumer -> snapshot.objects()
                            .pod(ref.namespace(), consumer.getName())
                            .filter(pod -> pod.getMetadata().getUid().equals(consumer.getUid()))
                            .isEmpty())
                    .map(consumer -> "pod \"" + consumer.getName() + "\" does not exist")
                    .forEach(notes::add);
        }
        return notes;
    }
}
