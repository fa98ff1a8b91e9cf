package dev.fakegpu.schedule.fit;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What pods take of their nodes, whoever put them there, and whether one more fits. For one thread. */
public final class NodeUsage {

    private static final String PODS = "pods";

    private record Use(String node, Map<String, BigDecimal> requests) {}

    private final Map<String, Use> byPod = new HashMap<>();
    private final Set<String> assumed = new HashSet<>();
    private final Map<String, Map<String, BigDecimal>> byNode = new HashMap<>();

    /** @return the node where something became free */
    public Optional<String> update(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (assumed.contains(uid) && !PodState.isBound(pod)) {
            return Optional.empty();
        }
        assumed.remove(uid);
        boolean takes = PodState.isBound(pod) && !PodState.hasEnded(pod);
        return put(uid, takes ? new Use(pod.getSpec().getNodeName(), PodRequests.of(pod)) : null);
    }

    /** As if the pod were bound already, until it is seen to be bound, or {@link #forget}. */
    public void assume(Pod pod, String node) {
        assumed.add(pod.getMetadata().getUid());
        put(pod.getMetadata().getUid(), new Use(node, PodRequests.of(pod)));
    }

    /** It was not bound after all: from now on the stored pod says where it is. */
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

    /**
     * In kube-scheduler's words, the first thing that is missing.
     *
     * @param requests of a pod, without those that devices serve
     */
    public Optional<String> missing(Node node, Map<String, BigDecimal> requests) {
        Map<String, BigDecimal> taken = byNode.getOrDefault(node.getMetadata().getName(), Map.of());
        Map<String, BigDecimal> there = node.getStatus() == null
                ? Map.of()
                : PodRequests.amounts(node.getStatus().getAllocatable());
        if (!fits(there, taken, PODS, BigDecimal.ONE)) {
            return Optional.of("Too many pods");
        }
        List<String> resources = PodRequests.inOrder(requests);
        return resources.stream()
                .filter(resource -> !fits(there, taken, resource, requests.getOrDefault(resource, BigDecimal.ZERO)))
                .findFirst()
                .map(resource -> "Insufficient " + resource);
    }

    private static boolean fits(
            Map<String, BigDecimal> there, Map<String, BigDecimal> taken, String resource, BigDecimal more) {
        BigDecimal free =
                there.getOrDefault(resource, BigDecimal.ZERO).subtract(taken.getOrDefault(resource, BigDecimal.ZERO));
        return more.compareTo(free) <= 0;
    }
}
