package dev.fakegpu.api;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which nodes KWOK keeps Ready, so that no kubelet is behind them: those with the annotation that KWOK's documentation asks for, unless
 * something says that a kubelet or a cloud provider has registered the node. An annotation alone is no evidence, since whoever may edit
 * nodes can copy it to a real one; what a kubelet reports about its container runtime is rewritten by it within minutes.
 */
public final class KwokNode {

    private static final String ANNOTATION = "kwok.x-k8s.io/node";
    private static final String FAKE = "fake";

    /** Of the kwok providers of cluster-autoscaler ({@code kwok:}) and Karpenter ({@code kwok://}); KWOK itself sets none. */
    private static final String PROVIDER = "kwok:";

    /** A kubelet reports {@code <name>://<version>}, and {@code <name>://Unknown} if its runtime does not answer. */
    private static final String OF_A_RUNTIME = "://";

    private KwokNode() {}

    /** Why the node is not taken to be one of KWOK's, to be continued after its name; empty if it is. */
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
