package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sums of the resources of each node that its pods request and that the devices of their claims take, for pods of any scheduler; and
 * whether one more pod fits. Nothing is kept about nodes without pods, which may have been deleted. Not thread-safe.
 */
public final class NodeUsage {

    static final String PODS = "pods";

    private record Use(String node, Map<String, BigDecimal> requests) {}

    private final Map<String, Use> byPod = new HashMap<>();
    private final Set<String> assumed = new HashSet<>();
    private long changes;
    private final Map<String, Map<String, BigDecimal>> byNode = new HashMap<>();

    /** By node, then by UID. */
    private final Map<String, Map<String, Pod>> podsByNode = new HashMap<>();

    private int withTerms;

    /** By node, computed on demand. */
    private final Map<String, Map<String, BigDecimal>> nonZero = new HashMap<>();

    /** By node, computed on demand. */
    private final Map<String, Set<HostPorts.Port>> ports = new HashMap<>();

    /** @return the node on which resources became free; empty if there is none */
    public Optional<String> update(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (assumed.contains(uid) && !PodState.isBound(pod)) {
            return Optional.empty();
        }
        assumed.remove(uid);
        boolean occupies = PodState.isBound(pod) && !PodState.hasEnded(pod);
        return put(pod, uid, occupies ? use(pod, pod.getSpec().getNodeName()) : null);
    }

    /** Counts the pod as bound until the stored pod is bound or {@link #forget} is called. */
    public void assume(Pod pod, String node) {
        assumed.add(pod.getMetadata().getUid());
        put(pod, pod.getMetadata().getUid(), use(pod, node));
    }

    private static Use use(Pod pod, String node) {
        return new Use(node, OccupiedResources.of(pod, Map.of()));
    }

    /** Whether the pod has a node, or is assumed to get one. */
    public boolean counts(Pod pod) {
        return byPod.containsKey(pod.getMetadata().getUid());
    }

    /** Whether a condition holds if other pods were also on a node. */
    public boolean holdsBeside(Collection<Pod> others, String node, BooleanSupplier holds) {
        return holdsBeside(Map.of(node, List.copyOf(others)), holds);
    }

    /** @param others by node */
    public boolean holdsBeside(Map<String, List<Pod>> others, BooleanSupplier holds) {
        var absent = new ArrayList<String>();
        try {
            others.forEach(
                    (node, pods) -> pods.stream().filter(pod -> !counts(pod)).forEach(pod -> {
                        assume(pod, node);
                        absent.add(pod.getMetadata().getUid());
                    }));
            return holds.getAsBoolean();
        } finally {
            absent.forEach(this::remove);
        }
    }

    /** Whether something holds if stored pods were gone. */
    public boolean holdsWithout(Collection<Pod> gone, BooleanSupplier holds) {
        try {
            gone.forEach(pod -> remove(pod.getMetadata().getUid()));
            return holds.getAsBoolean();
        } finally {
            gone.forEach(this::update);
        }
    }

    /** Drops the assumption: from now on the stored pod determines its node. */
    public void forget(String uid) {
        assumed.remove(uid);
    }

    public Optional<String> remove(String uid) {
        assumed.remove(uid);
        return put(null, uid, null);
    }

    private Optional<String> put(@Nullable Pod pod, String uid, @Nullable Use now) {
        Use before = now == null ? byPod.remove(uid) : byPod.put(uid, now);
        if (before != null) {
            place(before.node(), uid, null);
        }
        if (now != null) {
            place(now.node(), uid, pod);
        }
        if (Objects.equals(before, now)) {
            return Optional.empty();
        }
        changes++;
        if (before != null) {
            count(before, BigDecimal.ONE.negate());
        }
        if (now != null) {
            count(now, BigDecimal.ONE);
        }
        return before == null ? Optional.empty() : Optional.of(before.node());
    }

    /** @param pod null if it has left the node */
    private void place(String node, String uid, @Nullable Pod pod) {
        Map<String, Pod> pods = podsByNode.computeIfAbsent(node, ignored -> new LinkedHashMap<>());
        Pod before = pod == null ? pods.remove(uid) : pods.put(uid, pod);
        withTerms += (hasTerms(pod) ? 1 : 0) - (hasTerms(before) ? 1 : 0);
        nonZero.remove(node);
        ports.remove(node);
        if (pods.isEmpty()) {
            podsByNode.remove(node);
        }
    }

    private static boolean hasTerms(@Nullable Pod pod) {
        return pod != null && !PodTerms.of(pod).equals(PodTerms.NONE);
    }

    private void count(Use use, BigDecimal sign) {
        var sums = byNode.computeIfAbsent(use.node(), ignored -> new HashMap<>());
        sums.merge(PODS, sign, BigDecimal::add);
        use.requests().forEach((resource, amount) -> sums.merge(resource, amount.multiply(sign), BigDecimal::add));
        if (pods(use.node()).isEmpty()) {
            byNode.remove(use.node());
        }
    }

    /** Counts how often a pod was added to or removed from a node. */
    public long changes() {
        return changes;
    }

    /** The pods that have the node or are assumed to get it. */
    Collection<Pod> pods(String node) {
        return podsByNode.getOrDefault(node, Map.of()).values();
    }

    /** The sums of what pods request. */
    Map<String, BigDecimal> requested(String node) {
        return byNode.getOrDefault(node, Map.of());
    }

    /** The sums for cpu and memory, with defaults for containers that request none. */
    Map<String, BigDecimal> nonZero(String node) {
        return pods(node).isEmpty()
                ? Map.of()
                : nonZero.computeIfAbsent(
                        node,
                        ignored ->
                                pods(node).stream().map(ResourceScores::nonZero).reduce(Map.of(), ResourceScores::sum));
    }

    /** The host ports that the pods of a node use. */
    Set<HostPorts.Port> ports(String node) {
        return pods(node).isEmpty() ? Set.of() : ports.computeIfAbsent(node, ignored -> HostPorts.ofAll(pods(node)));
    }

    /** Whether a pod that has a node has affinity or anti-affinity terms. */
    boolean hasTerms() {
        return withTerms > 0;
    }

    static Map<String, BigDecimal> amounts(Node node) {
        return PodRequests.amounts(allocatable(node));
    }

    /** Whether one more pod would be too many. */
    boolean isFull(Node node) {
        return BigDecimal.ONE.compareTo(free(node, PODS)) > 0;
    }

    /**
     * Each resource of which the node has too little left for another pod, in the order of kube-scheduler; empty if the pod fits. Upstream:
     * {@code fitsRequest} in {@code plugins/noderesources/fit.go}.
     *
     * @param requests the pod's requests, without those that are served by devices
     * @param ofDevices the part of them that the pod's devices take
     * @param namespace the namespace of the pod
     */
    List<Shortage> shortages(
            Node node, Map<String, BigDecimal> requests, Map<String, BigDecimal> ofDevices, String namespace) {
        return PodRequests.inOrder(requests).stream()
                .filter(resource ->
                        requests.getOrDefault(resource, BigDecimal.ZERO).compareTo(free(node, resource)) > 0)
                .map(resource -> new Shortage(
                        resource,
                        requests.getOrDefault(resource, BigDecimal.ZERO),
                        ofDevices.getOrDefault(resource, BigDecimal.ZERO),
                        free(node, resource),
                        SliceReader.quantity(allocatable(node).get(resource)),
                        TakenByDevices.of(pods(node.getMetadata().getName()), resource, namespace)))
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
