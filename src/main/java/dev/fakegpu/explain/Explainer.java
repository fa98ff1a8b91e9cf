package dev.fakegpu.explain;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Node;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Claim;
import java.util.List;

/** To be written anew on the new allocator. */
public final class Explainer {
    public Explainer(ClusterState state, Selectors selectors, AllocatorOptions options) {}

    public Explanation explain(List<Node> nodes, List<Claim> claims) {
        return new Explanation(Reason.NoDevices, "not explained", List.of());
    }
}
