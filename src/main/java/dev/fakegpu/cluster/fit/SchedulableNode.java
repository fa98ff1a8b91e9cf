package dev.fakegpu.cluster.fit;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.kube.client.UnreadableFields;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A node as an API object and as input for the allocator.
 *
 * @param devices the properties that determine which devices the node can access
 */
public record SchedulableNode(Node stored, NodeInfo devices) {

    public static SchedulableNode of(Node node) {
        return new SchedulableNode(node, new NodeInfo(node.getMetadata().getName(), labels(node), features(node)));
    }

    private static Set<String> features(Node node) {
        var status = node.getStatus();
        return status == null || status.getDeclaredFeatures() == null
                ? Set.of()
                : Set.copyOf(status.getDeclaredFeatures());
    }

    public String name() {
        return devices.name();
    }

    /** Whether a scheduler would decide the same for both versions; heartbeats are ignored. */
    public static boolean isSame(Node before, Node after) {
        return UnreadableFields.of(before).equals(UnreadableFields.of(after))
                && Objects.equals(before.getSpec(), after.getSpec())
                && labels(before).equals(labels(after))
                && features(before).equals(features(after))
                && NodeFit.isReady(before) == NodeFit.isReady(after)
                && Objects.equals(allocatable(before), allocatable(after))
                && Objects.equals(
                        before.getMetadata().getDeletionTimestamp(),
                        after.getMetadata().getDeletionTimestamp());
    }

    private static Object allocatable(Node node) {
        return node.getStatus() == null || node.getStatus().getAllocatable() == null
                ? Map.of()
                : node.getStatus().getAllocatable();
    }

    public static Map<String, String> labels(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }
}
