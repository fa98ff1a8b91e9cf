package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a pod requests of its node: the larger of the sum over containers and sidecars, and the largest init container with
 * the sidecars started before it; overridden by {@code spec.resources} of the pod; plus the overhead. Upstream: {@code PodRequests} of
 * {@code k8s.io/component-helpers/resource}.
 */
public final class PodRequests {

    /** The largest amount with which kube-scheduler counts. */
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final int MILLI = 3;

    private PodRequests() {}

    public static Map<String, BigDecimal> of(Pod pod) {
        Map<String, BigDecimal> requests = requestsOfContainers(pod);
        addOfPod(requests, pod);
        requests.values().removeIf(amount -> amount.signum() == 0);
        return requests;
    }

    /**
     * The requests with what the devices of the pod's claims take of the node. If {@code spec.resources} of the pod requests the resource,
     * this is part of that; resources that the pod does not request are included. Amounts are in thousandths of CPUs and otherwise in whole
     * units, as in kube-scheduler.
     */
    static Map<String, BigDecimal> of(Pod pod, List<NodeAllocatableUse> uses) {
        Map<String, BigDecimal> requests = ofContainers(pod, uses);
        addOfPod(requests, pod);
        requests.replaceAll(PodRequests::roundedUp);
        return requests;
    }

    private static void addOfPod(Map<String, BigDecimal> requests, Pod pod) {
        requests.putAll(ofPod(pod));
        add(requests, amounts(pod.getSpec().getOverhead()));
    }

    /** What {@code spec.resources} of the pod requests. */
    static Map<String, BigDecimal> ofPod(Pod pod) {
        var ofPod = pod.getSpec().getResources();
        Map<String, BigDecimal> requests = ofPod == null ? new HashMap<>() : amounts(ofPod.getRequests());
        requests.keySet().removeIf(resource -> !isOfPods(resource));
        return requests;
    }

    /** Whether pods can have it in {@code spec.resources}. Upstream: {@code IsSupportedPodLevelResource}. */
    public static boolean isOfPods(String resource) {
        return resource.equals("cpu") || resource.equals("memory") || isHugePages(resource);
    }

    /** Of containers and the devices of claims, without {@code spec.resources} of the pod. Upstream: {@code AggregateContainerRequests}. */
    static Map<String, BigDecimal> ofContainers(Pod pod, List<NodeAllocatableUse> uses) {
        Map<String, BigDecimal> requests = requestsOfContainers(pod);
        uses.forEach(use -> add(requests, use.amounts()));
        return requests;
    }

    static BigDecimal roundedUp(String resource, BigDecimal amount) {
        int scale = resource.equals("cpu") ? MILLI : 0;
        return amount.scale() <= scale ? amount : amount.setScale(scale, RoundingMode.CEILING);
    }

    /**
     * The limits of a pod, which only quotas count: computed like the requests, with the overhead added where there is a limit ({@code
     * PodLimits}).
     */
    public static Map<String, BigDecimal> limits(Pod pod) {
        Map<String, BigDecimal> limits = limitsOfContainers(pod);
        var ofPod = pod.getSpec().getResources();
        if (ofPod != null) {
            amounts(ofPod.getLimits()).forEach((resource, limit) -> {
                if (isOfPods(resource)) {
                    limits.put(resource, limit);
                }
            });
        }
        limits.values().removeIf(amount -> amount.signum() == 0);
        amounts(pod.getSpec().getOverhead())
                .forEach((resource, amount) -> limits.computeIfPresent(resource, (name, limit) -> limit.add(amount)));
        return limits;
    }

    /** Upstream: {@code AggregateContainerRequests}. */
    public static Map<String, BigDecimal> requestsOfContainers(Pod pod) {
        return ofContainers(pod, PodRequests::requests);
    }

    /** Upstream: {@code AggregateContainerLimits}. */
    public static Map<String, BigDecimal> limitsOfContainers(Pod pod) {
        return ofContainers(
                pod,
                container -> container.getResources() == null
                        ? Map.of()
                        : amounts(container.getResources().getLimits()));
    }

    static Map<String, BigDecimal> ofContainers(Pod pod, Function<Container, Map<String, BigDecimal>> amounts) {
        return ofContainers(
                pod.getSpec().getContainers(),
                pod.getSpec().getInitContainers(),
                container -> "Always".equals(container.getRestartPolicy()),
                amounts);
    }

    /**
     * Of containers in any form.
     *
     * @param initial those that start the pod, in order
     * @param isSidecar whether one of them goes on running
     */
    public static <T> Map<String, BigDecimal> ofContainers(
            Iterable<T> containers,
            Iterable<T> initial,
            Predicate<T> isSidecar,
            Function<T, Map<String, BigDecimal>> amounts) {
        var running = new HashMap<String, BigDecimal>();
        containers.forEach(container -> add(running, amounts.apply(container)));
        var sidecars = new HashMap<String, BigDecimal>();
        var starting = new HashMap<String, BigDecimal>();
        for (T container : initial) {
            var needed = new HashMap<>(sidecars);
            add(needed, amounts.apply(container));
            max(starting, needed);
            if (isSidecar.test(container)) {
                sidecars = needed;
            }
        }
        add(running, sidecars);
        max(running, starting);
        return running;
    }

    /** The values of quantities; magnitudes are capped at the largest 64-bit integer. */
    public static Map<String, BigDecimal> amounts(@Nullable Map<String, Quantity> quantities) {
        var amounts = new HashMap<String, BigDecimal>();
        if (quantities != null) {
            quantities.forEach((resource, quantity) -> amounts.put(resource, amount(quantity)));
        }
        return amounts;
    }

    /** Returns zero for null. */
    static BigDecimal amount(@Nullable Quantity quantity) {
        return SliceReader.quantity(quantity).value().min(LARGEST).max(LARGEST.negate());
    }

    static Map<String, BigDecimal> requests(Container container) {
        return container.getResources() == null
                ? Map.of()
                : amounts(container.getResources().getRequests());
    }

    static void add(Map<String, BigDecimal> sum, Map<String, BigDecimal> more) {
        more.forEach((resource, amount) -> sum.merge(resource, amount, BigDecimal::add));
    }

    static void max(Map<String, BigDecimal> largest, Map<String, BigDecimal> candidate) {
        candidate.forEach((resource, amount) -> largest.merge(resource, amount, BigDecimal::max));
    }

    /** The containers of a pod, and those that start it. */
    public static Stream<Container> containers(Pod pod) {
        return Stream.concat(pod.getSpec().getContainers().stream(), pod.getSpec().getInitContainers().stream());
    }

    public static boolean isHugePages(String resource) {
        return resource.startsWith("hugepages-");
    }

    /** The names of resources in the order in which kube-scheduler checks them. */
    static List<String> inOrder(Map<String, BigDecimal> requests) {
        var first = List.of("cpu", "memory", "ephemeral-storage");
        return requests.keySet().stream()
                .sorted((one, other) -> {
                    int left = first.contains(one) ? first.indexOf(one) : first.size();
                    int right = first.contains(other) ? first.indexOf(other) : first.size();
                    return left == right ? one.compareTo(other) : Integer.compare(left, right);
                })
                .toList();
    }
}
