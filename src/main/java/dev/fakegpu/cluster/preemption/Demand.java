package dev.fakegpu.cluster.preemption;

import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import java.util.List;

/** The requirements of a waiting pod. */
public interface Demand {

    /** Whether a node fits apart from devices, given its current use by pods. */
    boolean fits(SchedulableNode node);

    /** The claims for which it needs devices on a node. */
    List<Claim> claims(SchedulableNode node);

    /** Whether a node has enough resources for what the devices that were found for {@link #claims} take. */
    boolean fitsWith(SchedulableNode node, List<Allocation> found);
}
