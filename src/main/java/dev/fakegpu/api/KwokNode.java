package dev.fakegpu.api;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Recognizes nodes that KWOK keeps Ready and that have no kubelet. They have the annotation that KWOK's documentation describes, and
 * nothing about them shows that a kubelet or a cloud provider has registered them. The annotation alone proves nothing, since anyone who
 * may edit nodes can copy it to a real one. A kubelet, however, rewrites the container runtime that it reports within minutes.
 */
public final class KwokNode {

    private static final String ANNOTATION = "kwok.x-k8s.io/node";
    private static final String FAKE = "fake";

    /**
     * The prefix for the KWOK providers of cluster-autoscaler ({@code kwok:}) and Karpenter ({@code kwok://}). KWOK itself sets no provider
     * ID.
     */
    private static final String PROVIDER = "kwok:";

    /** Part of what a kubelet reports: {@code <name>://<version>}, or {@code <name>://Unknown} if its runtime does not answer. */
    private static final String OF_A_RUNTIME = "://";

    private KwokNode() {}

    /** Why the node does not count as a node of KWOK, as the rest of a sentence that begins with the node; empty if it does. */
    public static Optional<String> refusal(Node node) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.of());
        if (!FAKE.equals(annotations.get(ANNOTATION))) {
            return Optional.of("does not have the annotation %s: %s".formatted(ANNOTATION, FAKE));
        }
        return otherProvider(node).or(() -> runtime(node));
    }

    public static boolean isKept(Node node) {
        return refusal(node).isEmpty();
    }

    private static Optional<String> otherProvider(Node node) {
        return Optional.ofNullable(node.getSpec())
                .map(spec -> spec.getProviderID())
                .filter(id -> !id.isEmpty() && !id.startsWith(PROVIDER))
                .map("has the provider ID %s"::formatted);
    }

    private static Optional<String> runtime(Node node) {
        return Optional.ofNullable(node.getStatus())
                .map(status -> status.getNodeInfo())
                .map(NodeSystemInfo::getContainerRuntimeVersion)
                .filter(version -> version.contains(OF_A_RUNTIME))
                .map("has a kubelet, which reports the container runtime %s"::formatted);
    }
}
