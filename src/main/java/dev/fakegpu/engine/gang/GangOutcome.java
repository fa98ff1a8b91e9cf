package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import java.util.Map;
import java.util.TreeMap;

/** What became of a gang. */
public sealed interface GangOutcome {

    /**
     * Members with a node and devices.
     *
     * @param nodes by the index of the member; without those for which there is no place
     * @param allocations of the members' claims, each once
     */
    record Places(Map<Integer, String> nodes, Map<ClaimRef, Allocation> allocations) {
        public Places {
            nodes = new TreeMap<>(nodes);
            allocations = Map.copyOf(allocations);
        }
    }

    /** As many members as possible, and enough. */
    record Placed(Places places) implements GangOutcome {}

    /**
     * There is no place for enough of them.
     *
     * @param some what members get if each takes what is left by those before it
     */
    record NotPlaced(Places some) implements GangOutcome {}

    /** An error in claims, classes or slices that concerns all nodes. */
    record Failed(String message) implements GangOutcome {}

    /** A limit was reached before there was an answer. */
    record Aborted(String message) implements GangOutcome {}
}
