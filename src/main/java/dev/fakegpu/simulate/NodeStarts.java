package dev.fakegpu.simulate;

import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.operator.kubelet.ReadyNode;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Duration;
import java.util.Optional;

/**
 * Starts the kubelets of nodes without a complete status. A node without a Ready condition gets one; a node without resources gets those of
 * a simulated node. Nodes that already existed stay as they are, so that other commands report the same about them. Not thread-safe.
 */
final class NodeStarts {

    private final MemoryCluster cluster;
    private final VirtualTime time;

    NodeStarts(MemoryCluster cluster, VirtualTime time) {
        this.cluster = cluster;
        this.time = time;
    }

    /** Starts watching for new nodes. */
    void start() {
        cluster.addListener(this::changed);
    }

    private void changed(HasMetadata object) {
        if (object instanceof Node node && lacksStatus(node)) {
            var unused = time.add(
                    Duration.ZERO,
                    () -> Optional.ofNullable(cluster.get(node))
                            .filter(NodeStarts::lacksStatus)
                            .ifPresent(stored -> cluster.updateStatus(stored, ready(stored))));
        }
    }

    private static boolean lacksStatus(Node node) {
        return node.getMetadata().getDeletionTimestamp() == null
                && (ReadyNode.condition(node, "Ready").isEmpty() || lacksResources(node));
    }

    private static boolean lacksResources(Node node) {
        return node.getStatus() == null
                || node.getStatus().getAllocatable() == null
                || node.getStatus().getAllocatable().isEmpty();
    }

    private Node ready(Node node) {
        Node ready = ReadyNode.condition(node, "Ready").isEmpty() ? ReadyNode.of(node, time.instant()) : node;
        return lacksResources(ready)
                ? new NodeBuilder(ready)
                        .editStatus()
                        .withCapacity(SimulatedNode.CAPACITY)
                        .withAllocatable(SimulatedNode.CAPACITY)
                        .endStatus()
                        .build()
                : ready;
    }
}
