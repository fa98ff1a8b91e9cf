package dev.fakegpu.hardware.importer;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The content of a pool, assembled from its slices.
 *
 * @param nodes the nodes that can use the devices; all nodes if devices differ in this, since then each has its own selection
 * @param devices the devices in the order in which an allocator tries them
 */
public record PoolContent(
        PoolId pool,
        NodeSelection nodes,
        List<CounterSet> counterSets,
        List<Device> devices,
        @Nullable String partitionTypeAttribute,
        List<String> skipNodeOperations) {

    public PoolContent {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
        skipNodeOperations = List.copyOf(skipNodeOperations);
    }

    /** A copy without the names of the pool and the node. */
    PoolContent withoutLocation() {
        return new PoolContent(
                new PoolId(pool.driver(), ""),
                nodes instanceof NodeSelection.NodeName ? new NodeSelection.NodeName("") : nodes,
                counterSets,
                devices,
                partitionTypeAttribute,
                skipNodeOperations);
    }

    /**
     * Assembles a pool from the slices of its newest generation.
     *
     * @param notes receives a sentence for each detail that the pool of a FakeGpu cannot have
     */
    public static PoolContent of(PoolId pool, List<Slice> slices, List<String> notes) {
        return new Assembler(pool, slices, notes).read();
    }

    /** Assembles a pool. */
    private static final class Assembler {
        private final PoolId pool;
        private final List<Slice> slices;
        private final List<String> notes;

        Assembler(PoolId pool, List<Slice> slices, List<String> notes) {
            long newest = slices.stream().mapToLong(Slice::generation).max().orElse(0);
            this.pool = pool;
            this.notes = notes;
            this.slices = slices.stream()
                    .filter(slice -> slice.generation() == newest)
                    .sorted(Comparator.comparing(Slice::name))
                    .toList();
            if (this.slices.size() < slices.size()) {
                note("%s ResourceSlice(s) of older generations are left out"
                        .formatted(slices.size() - this.slices.size()));
            }
            long sliceCount = this.slices.get(0).sliceCount();
            if (sliceCount != this.slices.size()) {
                note("is incomplete: %s of %s ResourceSlices are here, and what they have is all that is imported"
                        .formatted(this.slices.size(), sliceCount));
            }
        }

        PoolContent read() {
            List<Slice> withDevices =
                    slices.stream().filter(slice -> !slice.devices().isEmpty()).toList();
            Set<NodeSelection> selections = (withDevices.isEmpty() ? slices : withDevices)
                    .stream().map(slice -> plain(slice.nodes())).collect(Collectors.toCollection(LinkedHashSet::new));
            boolean perDevice = slices.stream().anyMatch(Slice::selectsNodesPerDevice) || selections.size() > 1;
            NodeSelection nodes = perDevice
                    ? new NodeSelection.AllNodes()
                    : selections.iterator().next();
            return new PoolContent(
                    pool,
                    nodes,
                    slices.stream()
                            .flatMap(slice -> slice.counterSets().stream())
                            .toList(),
                    perDevice ? devicesWithNodes() : devices(),
                    partitionTypeAttribute(),
                    skipNodeOperations());
        }

        private List<Device> devices() {
            return slices.stream()
                    .flatMap(slice -> slice.devices().stream())
                    .map(device -> device.withNodes(null))
                    .toList();
        }

        private List<Device> devicesWithNodes() {
            var devices = new ArrayList<Device>();
            for (Slice slice : slices) {
                for (Device device : slice.devices()) {
                    NodeSelection nodes = plain(slice.nodesOf(device));
                    if (nodes instanceof NodeSelection.None) {
                        note("device " + device.name()
                                + " can be reached from no node, which cannot be said; it is left out");
                    } else {
                        devices.add(device.withNodes(nodes));
                    }
                }
            }
            return devices;
        }

        private @Nullable String partitionTypeAttribute() {
            Set<String> names = slices.stream()
                    .map(Slice::partitionTypeAttribute)
                    .filter(Objects::nonNull)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            if (names.size() > 1) {
                note("its slices have different partitionTypeAttributes (%s), of which the first is taken"
                        .formatted(String.join(", ", names)));
            }
            return names.isEmpty() ? null : names.iterator().next();
        }

        private List<String> skipNodeOperations() {
            Set<List<String>> operations = slices.stream()
                    .filter(slice -> !slice.devices().isEmpty())
                    .map(Slice::skipNodeOperations)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            if (operations.size() > 1) {
                note("its slices have different skipNodeOperations, so none are taken");
            }
            return operations.size() == 1 ? operations.iterator().next() : List.of();
        }

        private static NodeSelection plain(NodeSelection nodes) {
            return nodes instanceof NodeSelection.WithEmptyNodeName with ? with.selection() : nodes;
        }

        private void note(String what) {
            notes.add("pool " + pool.name() + " of " + pool.driver() + ": " + what);
        }
    }
}
