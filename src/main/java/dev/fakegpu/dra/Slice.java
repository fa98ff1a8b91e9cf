package dev.fakegpu.dra;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceSlice: a part of a pool, with either devices or counter sets.
 *
 * @param name the object's name; the slices of a pool are tried in bytewise order of their names
 * @param generation the same for all slices of a pool; a higher one replaces all lower ones
 * @param sliceCount how many slices the pool has in this generation
 * @param nodes the nodes that can access its devices
 * @param perDeviceNodeSelection whether each device has its own node selection; null if not set
 * @param skipNodeOperations the kubelet calls that its devices do not need (KEP-5945)
 * @param partitionTypeAttribute the fully qualified attribute that says what kind of partition a device is; null if there is none
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

    /** A slice whose devices can all be accessed from the same nodes. */
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

    /** The nodes that can access a device of this slice. */
    public NodeSelection nodesOf(Device device) {
        if (!selectsNodesPerDevice()) {
            return nodes;
        }
        return device.nodes() == null ? new NodeSelection.None() : device.nodes();
    }

    /** Whether any device of the slice declares compatibility groups (KEP-5963). */
    public boolean usesCompatibilityGroups() {
        return devices.stream().anyMatch(Device::usesCompatibilityGroups);
    }

    /** Whether the slices are equal except for name, generation and slice count. */
    public boolean sameContent(Slice other) {
        return withPool(other.generation, other.sliceCount).equals(other.withName(name));
    }

    private Slice withName(String newName) {
        var copy = new Copy(this);
        copy.name = newName;
        return copy.slice();
    }

    public Slice withPool(long newGeneration, long newSliceCount) {
        var copy = new Copy(this);
        copy.generation = newGeneration;
        copy.sliceCount = newSliceCount;
        return copy.slice();
    }

    public Slice withCounterSets(List<CounterSet> newCounterSets) {
        var copy = new Copy(this);
        copy.counterSets = newCounterSets;
        return copy.slice();
    }

    public Slice withDevices(List<Device> newDevices) {
        var copy = new Copy(this);
        copy.devices = newDevices;
        return copy.slice();
    }

    /** The same slice with a function applied to each device. */
    public Slice mapDevices(UnaryOperator<Device> change) {
        return withDevices(devices.stream().map(change).toList());
    }

    public Slice withSkipNodeOperations(List<String> newSkipNodeOperations) {
        var copy = new Copy(this);
        copy.skipNodeOperations = newSkipNodeOperations;
        return copy.slice();
    }

    public Slice withPartitionTypeAttribute(@Nullable String newPartitionTypeAttribute) {
        var copy = new Copy(this);
        copy.partitionTypeAttribute = newPartitionTypeAttribute;
        return copy.slice();
    }

    /** Builds a slice, starting from a copy of another one. */
    private static final class Copy {
        private final Slice original;
        private String name;
        private long generation;
        private long sliceCount;
        private List<CounterSet> counterSets;
        private List<Device> devices;
        private List<String> skipNodeOperations;
        private @Nullable String partitionTypeAttribute;

        Copy(Slice original) {
            this.original = original;
            name = original.name;
            generation = original.generation;
            sliceCount = original.sliceCount;
            counterSets = original.counterSets;
            devices = original.devices;
            skipNodeOperations = original.skipNodeOperations;
            partitionTypeAttribute = original.partitionTypeAttribute;
        }

        Slice slice() {
            return new Slice(
                    name,
                    original.pool,
                    generation,
                    sliceCount,
                    original.nodes,
                    original.perDeviceNodeSelection,
                    counterSets,
                    devices,
                    skipNodeOperations,
                    partitionTypeAttribute);
        }
    }
}
