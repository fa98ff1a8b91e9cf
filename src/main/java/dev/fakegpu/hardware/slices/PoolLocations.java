package dev.fakegpu.hardware.slices;

import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a FakeGpu's pools, computed without a cluster.
 *
 * @param nodes one entry per pool
 * @param assumption what had to be assumed about the cluster, as a sentence; null if nothing
 */
public record PoolLocations(
        List<NodeSelection> nodes, @Nullable String assumption) {

    private static final String PLACEHOLDER = "node-0";

    public PoolLocations {
        nodes = List.copyOf(nodes);
    }

    /**
     * Determines the nodes.
     *
     * @param nodeNames the nodes to use instead of those of the spec; empty to use the spec's. Ignored for network-attached devices
     */
    public static PoolLocations of(String fakeGpuName, NodesSpec nodes, List<String> nodeNames) {
        if (nodes.isNetworkAttached()) {
            return new PoolLocations(List.of(NodeSelectorReader.ofNetworkAttached(nodes)), null);
        }
        if (!nodeNames.isEmpty()) {
            return new PoolLocations(named(nodeNames), null);
        }
        if (nodes.simulated() != null) {
            return new PoolLocations(named(nodes.simulated().names(fakeGpuName)), null);
        }
        return nodes.names().isEmpty()
                ? new PoolLocations(
                        named(List.of(PLACEHOLDER)),
                        "spec.nodes.selector is about nodes of a cluster; these are the slices of a node called "
                                + PLACEHOLDER)
                : new PoolLocations(named(nodes.names()), null);
    }

    /** Keeps only the first pool; all nodes of a FakeGpu have the same hardware. */
    public PoolLocations first() {
        return new PoolLocations(nodes.subList(0, 1), assumption);
    }

    private static List<NodeSelection> named(List<String> names) {
        return names.stream().<NodeSelection>map(NodeSelection.NodeName::new).toList();
    }
}
