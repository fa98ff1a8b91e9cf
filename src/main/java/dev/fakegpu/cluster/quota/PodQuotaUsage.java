package dev.fakegpu.cluster.quota;

import dev.fakegpu.cluster.fit.PodRequests;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.util.Timestamps;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The quota usage of a pod ({@code PodUsageFunc}), and what it must specify ({@code Constraints}). */
final class PodQuotaUsage {

    private static final String COUNT = "count/pods";
    private static final String REQUESTS = "requests.";
    private static final String LIMITS = "limits.";
    private static final Set<String> COMPUTE = Set.of("cpu", "memory", "ephemeral-storage");

    /** Quotas of these resources require each container to specify an amount. */
    private static final Set<String> REQUIRED =
            Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

    private PodQuotaUsage() {}

    static Map<String, Quantity> of(Pod pod, Instant now) {
        Map<String, Quantity> usage = new TreeMap<>();
        usage.put(COUNT, Quantity.ONE);
        if (PodState.hasEnded(pod) || isStuck(pod, now)) {
            return usage;
        }
        usage.put("pods", Quantity.ONE);
        amounts(pod, PodRequests.of(pod), ResourceRequirements::getRequests)
                .forEach((resource, amount) -> request(usage, resource, amount));
        amounts(pod, PodRequests.limits(pod), ResourceRequirements::getLimits).forEach((resource, amount) -> {
            if (COMPUTE.contains(resource)) {
                usage.put(LIMITS + resource, amount);
            }
        });
        return usage;
    }

    /** A pod that should already be gone, for example on a lost node, no longer counts. */
    private static boolean isStuck(Pod pod, Instant now) {
        var metadata = pod.getMetadata();
        Long grace = metadata.getDeletionGracePeriodSeconds();
        return grace != null
                && Timestamps.read(metadata.getDeletionTimestamp())
                        .filter(deleted -> Duration.between(deleted, now).compareTo(Duration.ofSeconds(grace)) > 0)
                        .isPresent(); // adding a grace period may overflow
    }

    private static void request(Map<String, Quantity> usage, String resource, Quantity amount) {
        boolean isPlain = COMPUTE.contains(resource) || resource.startsWith("hugepages-");
        if (isPlain) {
            usage.put(resource, amount);
        }
        if (isPlain || resource.contains("/")) {
            usage.put(REQUESTS + resource, amount);
        }
    }

    /** Uses the format in which the pod first writes the resource. */
    static Map<String, Quantity> amounts(
            Pod pod,
            Map<String, BigDecimal> values,
            Function<ResourceRequirements, Map<String, io.fabric8.kubernetes.api.model.Quantity>> written) {
        Map<String, Quantity> formats = new HashMap<>();
        Stream.of(written, (Function<ResourceRequirements, Map<String, io.fabric8.kubernetes.api.model.Quantity>>)
                        ResourceRequirements::getLimits)
                .flatMap(each -> resources(pod).flatMap(resources -> Stream.ofNullable(each.apply(resources))))
                .forEach(amounts -> amounts.forEach((resource, amount) ->
                        formats.computeIfAbsent(resource, ignored -> Quantity.parse(amount.toString()))));
        return values.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        each -> formats.getOrDefault(each.getKey(), Quantity.ONE)
                                .withValue(each.getValue())));
    }

    /** The resources of the pod and of its containers. */
    private static Stream<ResourceRequirements> resources(Pod pod) {
        return Stream.concat(
                Stream.ofNullable(pod.getSpec().getResources()),
                PodRequests.containers(pod).flatMap(container -> Stream.ofNullable(container.getResources())));
    }

    /** Whether the pod itself specifies cpu, memory or huge pages ({@code IsPodLevelResourcesSet}). */
    private static boolean isSaidByPod(Pod pod) {
        return names(pod.getSpec().getResources()).anyMatch(PodRequests::isOfPods);
    }

    private static Stream<String> names(@Nullable ResourceRequirements resources) {
        return resources == null
                ? Stream.of()
                : Stream.of(resources.getRequests(), resources.getLimits())
                        .filter(amounts -> amounts != null)
                        .flatMap(amounts -> amounts.keySet().stream());
    }

    /** Whether it requests no cpu and no memory ({@code GetPodQOS}). */
    static boolean isBestEffort(Pod pod) {
        Stream<ResourceRequirements> all = isSaidByPod(pod)
                ? Stream.ofNullable(pod.getSpec().getResources())
                : PodRequests.containers(pod).flatMap(container -> Stream.ofNullable(container.getResources()));
        return all.flatMap(resources -> Stream.of(
                        PodRequests.amounts(resources.getRequests()), PodRequests.amounts(resources.getLimits())))
                .allMatch(amounts -> Stream.of("cpu", "memory")
                        .allMatch(resource ->
                                amounts.getOrDefault(resource, BigDecimal.ZERO).signum() == 0));
    }

    /**
     * The resources of a quota that containers do not specify; empty if they specify all of them.
     *
     * @param counted the resources of the quota
     */
    static String unsaid(Pod pod, Collection<String> counted) {
        Map<String, Set<String>> missing = new TreeMap<>();
        if (!isSaidByPod(pod)) {
            PodRequests.containers(pod)
                    .forEach(container -> counted.stream()
                            .filter(resource -> REQUIRED.contains(resource) && !isSaid(container, resource))
                            .forEach(resource -> missing.computeIfAbsent(resource, ignored -> new TreeSet<>())
                                    .add(container.getName())));
        }
        return missing.entrySet().stream()
                .map(each -> each.getKey() + " for: " + String.join(",", each.getValue()))
                .collect(Collectors.joining("; "));
    }

    /** A limit without a request is also the request. */
    private static boolean isSaid(Container container, String resource) {
        var resources = container.getResources();
        if (resources == null) {
            return false;
        }
        boolean isLimit = resource.startsWith(LIMITS);
        String plain = resource.substring(resource.indexOf('.') + 1);
        return isLimit
                ? PodRequests.amounts(resources.getLimits()).containsKey(plain)
                : names(resources).anyMatch(plain::equals);
    }
}
