package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code spec.resources} of a pod with what the API server adds, since pods are also read from files. Upstream: {@code DefaultPodLevelResources} in
 * {@code pkg/api/pod/util.go}. Kubernetes 1.34 to 1.36 add no limits; only quotas count these.
 *
 * @param requests empty if {@code spec.resources} is
 * @param limits also empty then
 */
record PodLevelAmounts(Map<String, BigDecimal> requests, Map<String, BigDecimal> limits) {

    private static final PodLevelAmounts NONE = new PodLevelAmounts(Map.of(), Map.of());

    static PodLevelAmounts of(Pod pod) {
        var written = pod.getSpec().getResources();
        if (written == null) {
            return NONE;
        }
        var requests = new HashMap<>(PodRequests.amounts(written.getRequests()));
        var limits = new HashMap<>(PodRequests.amounts(written.getLimits()));
        if (!requests.isEmpty() || !limits.isEmpty()) {
            addMissing(pod, requests, limits);
        }
        return new PodLevelAmounts(requests, limits);
    }

    private static void addMissing(Pod pod, Map<String, BigDecimal> requests, Map<String, BigDecimal> limits) {
        Map<String, BigDecimal> limitsOfContainers = PodRequests.limitsOfContainers(pod);
        limitsOfContainers.forEach((resource, limit) -> {
            if (PodRequests.isHugePages(resource) && !requests.containsKey(resource)) {
                limits.putIfAbsent(resource, limit);
            }
        });
        PodRequests.requestsOfContainers(pod).forEach((resource, request) -> {
            if (canBeOvercommitted(resource)) {
                requests.putIfAbsent(resource, request);
            }
        });
        limits.forEach(requests::putIfAbsent);
        requests.forEach((resource, request) -> {
            if (allContainersLimit(pod, resource)) {
                limits.putIfAbsent(
                        resource,
                        limitsOfContainers
                                .getOrDefault(resource, BigDecimal.ZERO)
                                .max(request));
            }
        });
    }

    private static boolean canBeOvercommitted(String resource) {
        return resource.equals("cpu") || resource.equals("memory");
    }

    private static boolean allContainersLimit(Pod pod, String resource) {
        return Stream.concat(pod.getSpec().getContainers().stream(), pod.getSpec().getInitContainers().stream())
                .allMatch(container -> hasLimit(container, resource));
    }

    private static boolean hasLimit(Container container, String resource) {
        return container.getResources() != null
                && container.getResources().getLimits() != null
                && container.getResources().getLimits().containsKey(resource);
    }
}
