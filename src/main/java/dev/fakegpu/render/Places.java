package dev.fakegpu.render;

import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.inventory.NodeReach;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the pools of a FakeGpu are.
 *
 * @param nodes one entry for each pool
 * @param assumption what had to be assumed for want of a cluster; null if the spec says it all
 */
public record Places(List<NodeSelection> nodes, @Nullable String assumption) {

    private static final String PLACEHOLDER = "node-0";

    public Places {
        nodes = List.copyOf(nodes);
    }

    /**
     * @param asked names of nodes that stand for those of the spec, if there are any; devices that are attached to the network are
     *     on none
     */
    public static Places of(String fakeGpuName, NodesSpec nodes, List<String> asked) {
        if (nodes.isNetworkAttached()) {
            return new Places(List.of(NodeReach.ofNetworkAttached(nodes)), null);
        }
        if (!asked.isEmpty()) {
            return new Places(named(asked), null);
        }
        if (nodes.simulated() != null) {
            return new Places(named(nodes.simulated().names(fakeGpuName)), null);
        }
        return nodes.names().isEmpty()
                ? new Places(
                        named(List.of(PLACEHOLDER)),
                        "spec.nodes.selector is about nodes of a cluster; these are the slices of a node called "
                                + PLACEHOLDER)
                : new Places(named(nodes.names()), null);
    }

    /** One of them: all nodes of a FakeGpu have the same hardware. */
    public Places first() {
        return new Places(nodes.subList(0, 1), assumption);
    }

    private static List<NodeSelection> named(List<String> names) {
        return names.stream().<NodeSelection>map(NodeSelection.NodeName::new).toList();
    }
}
