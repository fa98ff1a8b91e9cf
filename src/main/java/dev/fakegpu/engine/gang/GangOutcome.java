package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import java.util.Map;
import java.util.TreeMap;

/** The result of placing a gang. */
public sealed interface GangOutcome {

    /**
     * Members with their nodes and devices.
     *
     * @param nodes the nodes by the index of the member; members that do not fit are missing
     * @param allocations the allocations of the members' claims, each once
     */
    record Places(Map<Integer, String> nodes, Map<ClaimRef, Allocation> allocations) {
        public Places {
            nodes = new TreeMap<>(nodes);
            allocations = Map.copyOf(allocations);
        }
    }

    /** As many members as possible were placed, and these are enough. */
    record Placed(Places places) implements GangOutcome {}

    /**
     * Not enough members fit.
     *
     * @param some what members get if each takes what those before it leave
     */
    record NotPlaced(Places some) implements GangOutcome {}

    /**
     * There is an error in claims, classes or slices that concerns all nodes.
     *
     * @param member the index of the member that was being placed
     */
    record Failed(int member, String message) implements GangOutcome {}

    /** A limit was reached before there was an answer. */
    record Aborted(String message) implements GangOutcome {}
}
