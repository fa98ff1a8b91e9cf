package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.NodeAllocatableUse;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks whether {@code spec.resources} of a pod covers its containers and what the devices of its claims take. The API server checks only
 * the containers. Upstream: {@code validatePodLevelResourcesCoverDRA}.
 */
final class PodLevelResources {

    private PodLevelResources() {}

    /** Why it does not; empty if it does, if it is not set, or if devices take nothing. */
    static Optional<String> notCovering(Pod pod, List<NodeAllocatableUse> uses) {
        var ofPod = pod.getSpec().getResources();
        if (ofPod == null || uses.isEmpty()) {
            return Optional.empty();
        }
        Map<String, BigDecimal> requests = PodRequests.amounts(ofPod.getRequests());
        Map<String, BigDecimal> limits = PodRequests.amounts(ofPod.getLimits());
        return exceeded(PodRequests.ofContainers(pod, uses), requests)
                .map(FitMessages::requestNotCovering)
                .or(() -> exceeded(hugePages(pod, uses), limits).map(FitMessages::limitNotCovering))
                .or(() -> pod.getSpec().getContainers().stream()
                        .flatMap(container -> exceeded(limits(container, uses), limits).stream()
                                .map(resource -> FitMessages.limitNotCovering(resource, container.getName())))
                        .findFirst());
    }

    private static Optional<String> exceeded(Map<String, BigDecimal> amounts, Map<String, BigDecimal> most) {
        return most.keySet().stream()
                .filter(resource -> amounts.getOrDefault(resource, BigDecimal.ZERO)
                                .compareTo(most.getOrDefault(resource, BigDecimal.ZERO))
                        > 0)
                .sorted()
                .findFirst();
    }

    /** Upstream: {@code AggregateContainerLimits}. */
    private static Map<String, BigDecimal> hugePages(Pod pod, List<NodeAllocatableUse> uses) {
        Map<String, BigDecimal> limits = PodRequests.limitsOfContainers(pod);
        uses.forEach(use -> PodRequests.add(limits, use.amounts()));
        limits.keySet().removeIf(resource -> !PodRequests.isHugePages(resource));
        return limits;
    }

    /** The limits of the container itself, with what its devices take. */
    private static Map<String, BigDecimal> limits(Container container, List<NodeAllocatableUse> uses) {
        var limits = new HashMap<>(
                container.getResources() == null
                        ? Map.<String, BigDecimal>of()
                        : PodRequests.amounts(container.getResources().getLimits()));
        limits.keySet().removeIf(PodRequests::isHugePages);
        uses.stream()
                .filter(use -> use.containers().contains(container.getName()))
                .forEach(use -> use.ofContainer()
                        .forEach((resource, amount) ->
                                limits.computeIfPresent(resource, (name, limit) -> limit.add(amount.value()))));
        return limits;
    }

    /** A key that is equal for pods for which {@link #notCovering} has the same result if their devices take the same. */
    static Object key(Pod pod) {
        return pod.getSpec().getResources() == null
                ? ""
                : List.of(
                        pod.getSpec().getResources(),
                        pod.getSpec().getContainers().stream()
                                .map(container -> Optional.ofNullable(container.getResources()))
                                .toList());
    }
}
