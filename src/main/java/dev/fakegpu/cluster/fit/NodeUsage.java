package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sums of the resources that pods request on their nodes, whichever scheduler bound them, and whether one more pod fits. Not thread-safe.
 */
public final class NodeUsage {

    private static final String PODS = "pods";

    private record Use(String node, Map<String, BigDecimal> requests) {}

    private final Map<String, Use> byPod = new HashMap<>();
    private final Set<String> assumed = new HashSet<>();
    private final Map<String, Map<String, BigDecimal>> byNode = new HashMap<>();

    /** @return the node on which resources became free; empty if there is none */
    public Optional<String> update(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (assumed.contains(uid) && !PodState.isBound(pod)) {
            return Optional.empty();
        }
        assumed.remove(uid);
        boolean occupies = PodState.isBound(pod) && !PodState.hasEnded(pod);
        return put(uid, occupies ? new Use(pod.getSpec().getNodeName(), PodRequests.of(pod)) : null);
    }

    /** Counts the pod as bound, until the stored pod is bound or {@link #forget} is called. */
    public void assume(Pod pod, String node) {
        assumed.add(pod.getMetadata().getUid());
        put(pod.getMetadata().getUid(), new Use(node, PodRequests.of(pod)));
    }

    /** Drops the assumption: from now on the stored pod determines its node. */
    public void forget(String uid) {
        assumed.remove(uid);
    }

    public Optional<String> remove(String uid) {
        assumed.remove(uid);
        return put(uid, null);
    }

    private Optional<String> put(String uid, @Nullable Use now) {
        Use before = now == null ? byPod.remove(uid) : byPod.put(uid, now);
        if (Objects.equals(before, now)) {
            return Optional.empty();
        }
        if (before != null) {
            count(before, BigDecimal.ONE.negate());
        }
        if (now != null) {
            count(now, BigDecimal.ONE);
        }
        return before == null ? Optional.empty() : Optional.of(before.node());
    }

    private void count(Use use, BigDecimal sign) {
        var sums = byNode.computeIfAbsent(use.node(), ignored -> new HashMap<>());
        sums.merge(PODS, sign, BigDecimal::add);
        use.requests().forEach((resource, amount) -> sums.merge(resource, amount.multiply(sign), BigDecimal::add));
    }

    /** Whether one more pod would be too many. */
    boolean isFull(Node node) {
        return BigDecimal.ONE.compareTo(free(node, PODS)) > 0;
    }

    /**
     * Each resource of which the node has too little left for another pod, in kube-scheduler's order; empty if the pod fits. Upstream: {@code
     * fitsRequest} in {@code plugins/noderesources/fit.go}.
     *
     * @param requests the pod's requests, without those that devices serve
     */
    List<Shortage> shortages(Node node, Map<String, BigDecimal> requests) {
        return PodRequests.inOrder(requests).stream()
                .filter(resource ->
                        requests.getOrDefault(resource, BigDecimal.ZERO).compareTo(free(node, resource)) > 0)
                .map(resource -> new Shortage(
                        resource,
                        requests.getOrDefault(resource, BigDecimal.ZERO),
                        free(node, resource),
                        SliceReader.quantity(allocatable(node).get(resource))))
                .toList();
    }

    private BigDecimal free(Node node, String resource) {
        BigDecimal used =
                byNode.getOrDefault(node.getMetadata().getName(), Map.of()).getOrDefault(resource, BigDecimal.ZERO);
        return PodRequests.amount(allocatable(node).get(resource)).subtract(used);
    }

    private static Map<String, Quantity> allocatable(Node node) {
        return node.getStatus() == null
                ? Map.of()
                : Objects.requireNonNullElse(node.getStatus().getAllocatable(), Map.of());
    }
}
