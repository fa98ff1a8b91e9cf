package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.PoolId;
import java.util.List;
import java.util.Map;

/** A resource pool as one node sees it. */
public sealed interface Pool {

    PoolId id();

    /**
     * All slices are there and consistent.
     *
     * @param devices those that the node can reach, in the order in which they are tried
     * @param elsewhere those of other nodes, which matter for what they consume
     * @param counterSets by name
     */
    record Usable(PoolId id, List<PoolDevice> devices, List<PoolDevice> elsewhere, Map<String, CounterSet> counterSets)
            implements Pool {
        public Usable {
            devices = List.copyOf(devices);
            elsewhere = List.copyOf(elsewhere);
            counterSets = Map.copyOf(counterSets);
        }
    }

    /**
     * The driver has not published all slices of the generation, or more than it says.
     *
     * @param expected how many slices there should be
     * @param found how many there are
     * @param ignored how many more were left out of account because they use compatibility groups ({@link Gate#OFF})
     */
    record Incomplete(PoolId id, long expected, int found, int ignored) implements Pool {}

    /** The slices contradict each other. */
    record Invalid(PoolId id, String reason) implements Pool {}
}
