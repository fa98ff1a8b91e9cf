package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.Pool;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.SortedMap;

/**
 * The input on which findings about a node depend, besides claims, classes and options. An index keeps the list of a node's pools as long
 * as none of the slices that concern the node change: its own, others of the same pools, those that are left out, and those for several
 * nodes. So the same list means the same slices, and it need not be kept alive for comparisons.
 *
 * @param pools the pools that the node sees
 * @param held the allocated devices of each pool; a new list after each change
 * @param others the FakeGpus with devices for the node that another allocator allocates, and their drivers
 */
record NodeInputs(WeakReference<List<Pool>> pools, List<List<AllocatedDevice>> held, SortedMap<String, String> others) {

    static NodeInputs of(HypotheticalState state, NodeInfo node) {
        List<Pool> pools = state.context().slices().pools(node);
        AllocatedDevices allocated = state.context().allocated();
        return new NodeInputs(
                new WeakReference<>(pools),
                pools.stream().map(pool -> allocated.ofPool(pool.id())).toList(),
                state.others().drivers().apply(node));
    }

    /** Whether devices and allocations are those of the state. */
    boolean isOf(HypotheticalState state, NodeInfo node) {
        return state.context()
                .slices()
                .knownPools(node)
                .filter(pools::refersTo)
                .filter(same -> isHeld(same, state.context().allocated()))
                .isPresent();
    }

    @SuppressWarnings("ReferenceEquality") // returned lists do not change
    private boolean isHeld(List<Pool> same, AllocatedDevices allocated) {
        for (int i = 0; i < same.size(); i++) {
            if (held.get(i) != allocated.ofPool(same.get(i).id())) {
                return false;
            }
        }
        return true;
    }

    /** Whether the other allocator has the same devices. */
    boolean hasOthersOf(HypotheticalState state, NodeInfo node) {
        return others.equals(state.others().drivers().apply(node));
    }
}
