package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.cluster.holdings.HeldClaim;
import dev.fakegpu.dra.wire.Allocations;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the claims of consecutive snapshots: an unchanged object is not read again, and its {@link HeldClaim} remains the same instance
 * unless its notes have changed. Not thread-safe.
 */
public final class HeldClaims {

    private Map<ResourceClaim, HeldClaim> last = Map.of();

    /** The claims that have devices. */
    public List<HeldClaim> of(ClusterSnapshot snapshot) {
        Map<ResourceClaim, HeldClaim> current = new IdentityHashMap<>();
        var all = new ArrayList<HeldClaim>();
        var notPreparable = new NotPreparable(snapshot.objects());
        for (ResourceClaim claim : snapshot.objects().claims()) {
            if (Allocations.isAllocated(claim)) {
                HeldClaim held = held(claim, snapshot, notPreparable);
                current.put(claim, held);
                all.add(held);
            }
        }
        last = current;
        return all;
    }

    private HeldClaim held(ResourceClaim claim, ClusterSnapshot snapshot, NotPreparable notPreparable) {
        List<String> notes = ClusterHoldings.notes(claim, snapshot, notPreparable);
        HeldClaim known = last.get(claim);
        return known != null && known.notes().equals(notes) ? known : ClusterHoldings.held(claim, notes);
    }
}
