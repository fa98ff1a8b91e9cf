package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes of its node. While its resources change in place, this is the largest of what the spec asks for, what the kubelet has allocated,
 * and what is in effect; a request that the node can never grant does not count. Upstream: {@code PodRequests} of {@code
 * k8s.io/component-helpers/resource} with {@code UseStatusResources}.
 */
final class OccupiedResources {

    private final Pod pod;
    private final PodStatus status;
    private final List<NodeAllocatableUse> uses;
    private final boolean isInfeasible;

    /** Of containers whose status says something about resources, by name. */
    private final Map<String, ContainerStatus> containers = new HashMap<>();

    private OccupiedResources(Pod pod) {
        this.pod = pod;
        status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
        uses = NodeAllocatableUses.of(pod);
        Stream.of(status.getContainerStatuses(), status.getInitContainerStatuses())
                .flatMap(List::stream)
                .filter(each -> each.getResources() != null || isGiven(each.getAllocatedResources()))
                .forEach(each -> containers.putIfAbsent(each.getName(), each));
        isInfeasible = status.getConditions().stream()
                .filter(condition -> "PodResizePending".equals(condition.getType()))
                .findFirst()
                .filter(condition -> "Infeasible".equals(condition.getReason()))
                .isPresent();
    }

    /** @param missing what containers count as that request nothing of a resource */
    static Map<String, BigDecimal> of(Pod pod, Map<String, BigDecimal> missing) {
        return new OccupiedResources(pod).requests(missing);
    }

    private Map<String, BigDecimal> requests(Map<String, BigDecimal> missing) {
        Map<String, BigDecimal> requests =
                isInfeasible ? new HashMap<>() : withUses(aggregate(PodRequests::requests, missing));
        var ofPod = status.getResources();
        if (ofPod != null && isGiven(ofPod.getRequests()) && isGiven(status.getAllocatedResources())) {
            // The kubelet counts what devices take among these.
            PodRequests.max(requests, PodRequests.amounts(status.getAllocatedResources()));
            PodRequests.max(requests, PodRequests.amounts(ofPod.getRequests()));
        } else if (isInfeasible || !containers.isEmpty()) {
            PodRequests.max(requests, withUses(aggregate(this::allocated, missing)));
            PodRequests.max(requests, aggregate(this::inEffect, missing));
        }
        if (!PodRequests.ofPod(pod).isEmpty()) {
            requests.putAll(ofPod());
        }
        PodRequests.add(requests, PodRequests.amounts(pod.getSpec().getOverhead()));
        requests.replaceAll(PodRequests::roundedUp);
        return requests;
    }

    private Map<String, BigDecimal> aggregate(
            Function<Container, Map<String, BigDecimal>> amounts, Map<String, BigDecimal> missing) {
        return PodRequests.ofContainers(pod, container -> {
            var requests = new HashMap<>(missing);
            requests.putAll(amounts.apply(container));
            return requests;
        });
    }

    private Map<String, BigDecimal> withUses(Map<String, BigDecimal> requests) {
        uses.forEach(use -> PodRequests.add(requests, use.amounts()));
        return requests;
    }

    private Map<String, BigDecimal> allocated(Container container) {
        return Optional.ofNullable(containers.get(container.getName()))
                .map(ContainerStatus::getAllocatedResources)
                .filter(OccupiedResources::isGiven)
                .map(PodRequests::amounts)
                .orElseGet(() -> isInfeasible ? Map.of() : PodRequests.requests(container));
    }

    private Map<String, BigDecimal> inEffect(Container container) {
        return Optional.ofNullable(containers.get(container.getName()))
                .map(ContainerStatus::getResources)
                .map(ResourceRequirements::getRequests)
                .filter(OccupiedResources::isGiven)
                .map(PodRequests::amounts)
                .orElseGet(() -> allocated(container));
    }

    /** What {@code spec.resources} of the pod amounts to. Upstream: {@code effectivePodLevelResources}. */
    private Map<String, BigDecimal> ofPod() {
        if (status.getResources() == null) {
            return PodRequests.ofPod(pod);
        }
        Map<String, BigDecimal> requests = isInfeasible ? new HashMap<>() : PodRequests.ofPod(pod);
        PodRequests.max(requests, PodRequests.amounts(status.getResources().getRequests()));
        PodRequests.max(requests, PodRequests.amounts(status.getAllocatedResources()));
        requests.keySet().removeIf(resource -> !PodRequests.isOfPods(resource));
        return requests;
    }

    private static boolean isGiven(@Nullable Map<String, Quantity> amounts) {
        return amounts != null && !amounts.isEmpty();
    }
}
