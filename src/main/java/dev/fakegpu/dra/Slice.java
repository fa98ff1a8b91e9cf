package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceSlice: a part of a pool, with either devices or counter sets.
 *
 * @param name the object's name; slices of a pool are tried in its bytewise order
 * @param generation all slices of a pool carry the same one; a higher one replaces all lower ones
 * @param sliceCount how many slices the pool has in this generation
 * @param nodes where its devices can be reached from
 * @param perDeviceNodeSelection true where each device says that itself; null where nothing is said
 * @param skipNodeOperations the kubelet's calls that its devices need none of (KEP-5945)
 * @param partitionTypeAttribute the attribute, with its domain, that says what kind of partition a device is; null where none does
 */
public record Slice(
        String name,
        PoolId pool,
        long generation,
        long sliceCount,
        NodeSelection nodes,
        @Nullable Boolean perDeviceNodeSelection,
        List<CounterSet> counterSets,
        List<Device> devices,
        List<String> skipNodeOperations,
        @Nullable String partitionTypeAttribute) {

    public Slice {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
        skipNodeOperations = List.copyOf(skipNodeOperations);
    }

    /** A slice whose devices can all be reached from the same nodes. */
    public Slice(
            String name,
            PoolId pool,
            long generation,
            long sliceCount,
            NodeSelection nodes,
            List<CounterSet> counterSets,
            List<Device> devices) {
        this(name, pool, generation, sliceCount, nodes, null, counterSets, devices, List.of(), null);
    }

    public boolean selectsNodesPerDevice() {
        return Boolean.TRUE.equals(perDeviceNodeSelection);
    }

    /** Where a device of this slice can be reached from. */
    public NodeSelection nodesOf(Device device) {
        if (!selectsNodesPerDevice()) {
            return nodes;
        }
        return device.nodes() == null ? new NodeSelection.None() : device.nodes();
    }

    /** Whether any of its devices declares compatibility groups (KEP-5963). */
    public boolean usesCompatibilityGroups() {
        return devices.stream().anyMatch(Device::usesCompatibilityGroups);
    }

    /** Whether devices and counter sets, and where they are, are the same: all but the pool's bookkeeping. */
    public boolean sameContent(Slice other) {
        return withPool(other.generation, other.sliceCount).equals(other.withName(name));
    }

    private Slice withName(String newName) {
        return new Slice(
                newName,
                pool,
                generation,
                sliceCount,
                nodes,
                perDeviceNodeSelection,
                counterSets,
                devices,
                skipNodeOperations,
                partitionTypeAttribute);
    }

    public Slice withPool(long newGeneration, long newSliceCount) {
        return new Slice(
                name,
                pool,
                newGeneration,
                newSliceCount,
                nodes,
                perDeviceNodeSelection,
                counterSets,
                devices,
                skipNodeOperations,
                partitionTypeAttribute);
    }

    public Slice withCounterSets(List<CounterSet> newCounterSets) {
        return new Slice(
                name,
                pool,
                generation,
                sliceCount,
                nodes,
                perDeviceNodeSelection,
                newCounterSets,
                devices,
                skipNodeOperations,
                partitionTypeAttribute);
    }

    public Slice withDevices(List<Device> newDevices) {
        return new Slice(
                name,
                pool,
                generation,
                sliceCount,
                nodes,
                perDeviceNodeSelection,
                counterSets,
                newDevices,
                skipNodeOperations,
                partitionTypeAttribute);
    }
}
