package dev.fakegpu.cluster.preemption;

import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import java.util.List;

/** What a waiting pod needs. */
public interface Demand {

    /** Whether a node fits apart from devices, with what pods use of it now. */
    boolean fits(SchedulableNode node);

    /** The claims for which it needs devices on a node. */
    List<Claim> claims(SchedulableNode node);

    /** Whether a node has enough for what the devices that were found for {@link #claims} take of it. */
    boolean fitsWith(SchedulableNode node, List<Allocation> found);
}
