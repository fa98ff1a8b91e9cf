package dev.fakegpu.dra;

import java.util.List;

/**
 * A ResourceSlice: a part of a pool, with either devices or counter sets.
 *
 * @param name the object's name; slices of a pool are tried in its bytewise order
 * @param generation all slices of a pool carry the same one; a higher one replaces all lower ones
 * @param sliceCount how many slices the pool has in this generation
 */
public record Slice(
        String name,
        PoolId pool,
        long generation,
        long sliceCount,
        NodeSelection nodes,
        List<CounterSet> counterSets,
        List<Device> devices) {

    public Slice {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
    }

    /** Whether devices and counter sets, and where they are, are the same: all but the pool's bookkeeping. */
    public boolean sameContent(Slice other) {
        return nodes.equals(other.nodes) && counterSets.equals(other.counterSets) && devices.equals(other.devices);
    }

    public Slice withPool(long newGeneration, long newSliceCount) {
        return new Slice(name, pool, newGeneration, newSliceCount, nodes, counterSets, devices);
    }

    public Slice withDevices(List<Device> newDevices) {
        return new Slice(name, pool, generation, sliceCount, nodes, counterSets, newDevices);
    }
}
