package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives pods the requests and limits that the API server of Kubernetes 1.37 gives them when they are created. Schedulers and quotas count only what is
 * stored of a pod. Upstream: {@code SetDefaults_Pod} in {@code pkg/apis/core/v1/defaults.go}, {@code DefaultPodLevelResources} in {@code
 * pkg/api/pod/util.go}.
 */
public final class PodDefaults {

    private final Pod pod;
    private final TreeMap<String, Quantity> requests;
    private final TreeMap<String, Quantity> limits;

    private PodDefaults(Pod pod, ResourceRequirements ofPod) {
        this.pod = pod;
        requests = copy(ofPod.getRequests());
        limits = copy(ofPod.getLimits());
    }

    /** Changes the pod, which has the defaults of LimitRanges already. Has no effect on a pod that has everything. */
    public static void set(Pod pod) {
        PodRequests.containers(pod).forEach(PodDefaults::setRequests);
        ResourceRequirements ofPod = pod.getSpec().getResources();
        if (ofPod != null) {
            var defaults = new PodDefaults(pod, ofPod);
            if (!defaults.requests.isEmpty() || !defaults.limits.isEmpty()) {
                defaults.addMissing();
                ofPod.setRequests(defaults.requests);
                ofPod.setLimits(defaults.limits);
            }
        }
    }

    private static TreeMap<String, Quantity> copy(@Nullable Map<String, Quantity> amounts) {
        return new TreeMap<>(Objects.requireNonNullElse(amounts, Map.of()));
    }

    private static void setRequests(Container container) {
        ResourceRequirements resources = container.getResources();
        if (resources != null) {
            TreeMap<String, Quantity> requests = copy(resources.getLimits());
            requests.putAll(copy(resources.getRequests()));
            resources.setRequests(requests);
        }
    }

    private void addMissing() {
        Map<String, BigDecimal> limitsOfContainers = PodRequests.limitsOfContainers(pod);
        limitsOfContainers.forEach((resource, limit) -> {
            if (PodRequests.isHugePages(resource) && !requests.containsKey(resource)) {
                limits.putIfAbsent(resource, quantity(resource, limit));
            }
        });
        PodRequests.requestsOfContainers(pod).forEach((resource, request) -> {
            if (PodRequests.isOfPods(resource) && !PodRequests.isHugePages(resource)) {
                requests.putIfAbsent(resource, quantity(resource, request));
            }
        });
        limits.forEach((resource, limit) -> {
            if (PodRequests.isOfPods(resource)) {
                requests.putIfAbsent(resource, limit);
            }
        });
        limitsOfContainers.forEach((resource, limit) -> {
            Quantity request = requests.get(resource);
            if (request != null && PodRequests.isOfPods(resource) && allContainersLimit(resource)) {
                limits.putIfAbsent(resource, quantity(resource, limit.max(PodRequests.amount(request))));
            }
        });
    }

    private boolean allContainersLimit(String resource) {
        return PodRequests.containers(pod)
                .allMatch(container -> container.getResources() != null
                        && copy(container.getResources().getLimits()).containsKey(resource));
    }

    /** In the format in which the first container writes the resource. */
    private Quantity quantity(String resource, BigDecimal amount) {
        return PodRequests.containers(pod)
                .flatMap(container -> Stream.ofNullable(container.getResources()))
                .flatMap(each -> Stream.of(copy(each.getRequests()), copy(each.getLimits())))
                .flatMap(amounts -> Stream.ofNullable(amounts.get(resource)))
                .findFirst()
                .map(written -> SliceReader.quantity(written).withValue(amount))
                .map(each -> new Quantity(each.toString()))
                .orElseThrow();
    }
}
