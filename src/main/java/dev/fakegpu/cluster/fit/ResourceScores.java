package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Pod;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Scores for cpu and memory: how much of them is free, and how balanced their use is. Upstream: {@code plugins/noderesources} with its
 * default arguments.
 */
final class ResourceScores {

    private static final List<String> SCORED = List.of("cpu", "memory");

    /** What containers without a request count as. Upstream: {@code GetNonzeroRequests} in {@code pkg/scheduler/util/pod_resources.go}. */
    private static final Map<String, BigDecimal> DEFAULTS =
            Map.of("cpu", new BigDecimal("0.1"), "memory", BigDecimal.valueOf(200 << 20));

    private ResourceScores() {}

    /** The requests of a pod for cpu and memory, with defaults for containers that have none. */
    static Map<String, BigDecimal> nonZero(Pod pod) {
        var requests = OccupiedResources.of(pod, DEFAULTS);
        requests.keySet().retainAll(SCORED);
        return requests;
    }

    /**
     * Upstream: {@code leastResourceScorer}.
     *
     * @param used what is used of the node, including the pod
     */
    static long leastAllocated(Map<String, BigDecimal> allocatable, Map<String, BigDecimal> used) {
        long sum = 0;
        int count = 0;
        for (String resource : SCORED) {
            long capacity = whole(resource, allocatable);
            long requested = whole(resource, used);
            if (capacity != 0) {
                sum += requested > capacity ? 0 : (capacity - requested) * NodeScores.MAX / capacity;
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    /**
     * Upstream: {@code balancedResourceScorer}; zero for all nodes if the pod requests neither.
     *
     * @param before what other pods request of the node
     * @param requests the requests of the pod
     */
    static long balanced(
            Map<String, BigDecimal> allocatable, Map<String, BigDecimal> before, Map<String, BigDecimal> requests) {
        if (SCORED.stream().allMatch(resource -> whole(resource, requests) == 0)) {
            return 0;
        }
        long with = balance(allocatable, sum(before, requests));
        return NodeScores.MAX / 2 + (NodeScores.MAX / 2 + with - balance(allocatable, before)) / 2;
    }

    static Map<String, BigDecimal> sum(Map<String, BigDecimal> one, Map<String, BigDecimal> other) {
        var sum = new HashMap<>(one);
        other.forEach((resource, amount) -> sum.merge(resource, amount, BigDecimal::add));
        return sum;
    }

    private static long balance(Map<String, BigDecimal> allocatable, Map<String, BigDecimal> used) {
        var fractions = new ArrayList<Double>();
        for (String resource : SCORED) {
            long capacity = whole(resource, allocatable);
            if (capacity != 0) {
                fractions.add(Math.min(1, (double) whole(resource, used) / capacity));
            }
        }
        double deviation = fractions.size() == 2 ? Math.abs((fractions.get(0) - fractions.get(1)) / 2) : 0;
        return (long) ((1 - deviation) * NodeScores.MAX);
    }

    /** Returns thousandths of CPUs or bytes, rounded up. */
    private static long whole(String resource, Map<String, BigDecimal> amounts) {
        BigDecimal amount = amounts.getOrDefault(resource, BigDecimal.ZERO);
        return (resource.equals("cpu") ? amount.movePointRight(3) : amount)
                .setScale(0, RoundingMode.UP)
                .longValue();
    }
}
