package dev.fakegpu.cluster.quota;

import dev.fakegpu.cluster.fit.PodRequests;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.LimitRangeItem;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The effects of LimitRanges on new pods: defaults and refusals ({@code plugin/pkg/admission/limitranger}).
 *
 * @param ranges the LimitRanges of the namespace
 */
public record LimitRanges(List<LimitRange> ranges) {

    private static final String CONTAINER = "Container";

    /** {@code supportedPodLevelResources}. */
    private static final Set<String> OF_PODS = Set.of("cpu", "memory");

    /** The LimitRanges of a namespace. LimitRanges without a spec, which files may have, limit nothing. */
    public static LimitRanges in(String namespace, Collection<LimitRange> ranges) {
        return new LimitRanges(ranges.stream()
                .filter(range -> range.getSpec() != null
                        && namespace.equals(range.getMetadata().getNamespace()))
                .toList());
    }

    /** Sets the requests and limits that containers lack. */
    public void setDefaults(Pod pod) {
        items(CONTAINER)
                .forEach(item -> PodRequests.containers(pod)
                        .forEach(container -> container.setResources(
                                withDefaults(container.getResources(), defaultLimits(item), defaultRequests(item)))));
    }

    private Stream<LimitRangeItem> items(String type) {
        return ranges.stream()
                .flatMap(range -> range.getSpec().getLimits().stream())
                .filter(item -> type.equals(item.getType()));
    }

    /** {@code SetDefaults_LimitRangeItem}. */
    private static Map<String, io.fabric8.kubernetes.api.model.Quantity> defaultLimits(LimitRangeItem item) {
        return merged(item.getDefault(), item.getMax());
    }

    private static Map<String, io.fabric8.kubernetes.api.model.Quantity> defaultRequests(LimitRangeItem item) {
        return merged(merged(item.getDefaultRequest(), defaultLimits(item)), item.getMin());
    }

    /** A limit without a request is also the request, before defaults are set. */
    private static ResourceRequirements withDefaults(
            @Nullable ResourceRequirements resources,
            Map<String, io.fabric8.kubernetes.api.model.Quantity> limits,
            Map<String, io.fabric8.kubernetes.api.model.Quantity> requests) {
        var given = Objects.requireNonNullElseGet(resources, ResourceRequirements::new);
        return new ResourceRequirementsBuilder(given)
                .withRequests(merged(merged(given.getRequests(), given.getLimits()), requests))
                .withLimits(merged(given.getLimits(), limits))
                .build();
    }

    private static <T> Map<String, T> merged(@Nullable Map<String, T> first, @Nullable Map<String, T> second) {
        var merged = new TreeMap<>(Objects.requireNonNullElse(second, Map.<String, T>of()));
        merged.putAll(Objects.requireNonNullElse(first, Map.of()));
        return merged;
    }

    /** Why a new pod is refused. */
    public Optional<String> refusal(Pod pod) {
        return ranges.stream()
                .map(range -> range.getSpec().getLimits().stream()
                        .flatMap(item -> problems(item, pod))
                        .distinct()
                        .toList())
                .filter(problems -> !problems.isEmpty())
                .findFirst()
                .map(problems -> "pods \"%s\" is forbidden: %s"
                        .formatted(
                                pod.getMetadata().getName(),
                                problems.size() == 1 ? problems.get(0) : "[" + String.join(", ", problems) + "]"));
    }

    private static Stream<String> problems(LimitRangeItem item, Pod pod) {
        return switch (String.valueOf(item.getType())) {
            case CONTAINER ->
                PodRequests.containers(pod)
                        .map(Container::getResources)
                        .map(each -> Objects.requireNonNullElseGet(each, ResourceRequirements::new))
                        .flatMap(each -> problems(
                                item,
                                quantities(merged(each.getRequests(), each.getLimits())),
                                quantities(each.getLimits())));
            case "Pod" ->
                problems(
                        item,
                        ofPod(pod, PodRequests.requestsOfContainers(pod), ResourceRequirements::getRequests),
                        ofPod(pod, PodRequests.limitsOfContainers(pod), ResourceRequirements::getLimits));
            default -> Stream.of();
        };
    }

    /**
     * {@code podRequests} and {@code podLimits}: unlike schedulers and quotas, LimitRanges do not count huge pages in {@code spec.resources} of
     * the pod, nor overhead, and an amount of 0 is an amount.
     */
    private static Map<String, Quantity> ofPod(
            Pod pod,
            Map<String, BigDecimal> ofContainers,
            Function<ResourceRequirements, Map<String, io.fabric8.kubernetes.api.model.Quantity>> part) {
        var amounts = new HashMap<>(ofContainers);
        if (pod.getSpec().getResources() != null) {
            Map<String, BigDecimal> ofPod =
                    PodRequests.amounts(part.apply(pod.getSpec().getResources()));
            ofPod.keySet().retainAll(OF_PODS);
            amounts.putAll(ofPod);
        }
        return PodQuotaUsage.amounts(pod, amounts, part);
    }

    private static Map<String, Quantity> quantities(
            @Nullable Map<String, io.fabric8.kubernetes.api.model.Quantity> amounts) {
        var quantities = new HashMap<String, Quantity>();
        merged(amounts, Map.of()).forEach((resource, amount) -> quantities.put(resource, SliceReader.quantity(amount)));
        return quantities;
    }

    private static Stream<String> problems(
            LimitRangeItem item, Map<String, Quantity> requests, Map<String, Quantity> limits) {
        String usage = " usage per " + item.getType() + " is %s";
        String ratio = "%s max limit to request ratio per " + item.getType() + " is %s";
        return Stream.of(
                        problems("minimum %s" + usage, item.getMin(), requests, limits, LimitRanges::belowMin),
                        problems("maximum %s" + usage, item.getMax(), requests, limits, LimitRanges::aboveMax),
                        problems(ratio, item.getMaxLimitRequestRatio(), requests, limits, LimitRanges::aboveRatio))
                .flatMap(each -> each);
    }

    /** @param rule a format for the resource and the enforced value */
    private static Stream<String> problems(
            String rule,
            Map<String, io.fabric8.kubernetes.api.model.Quantity> enforced,
            Map<String, Quantity> requests,
            Map<String, Quantity> limits,
            Constraint constraint) {
        return new TreeMap<>(quantities(enforced))
                .entrySet().stream()
                        .flatMap(each -> constraint
                                .broken(each.getValue(), requests.get(each.getKey()), limits.get(each.getKey()))
                                .map(how -> rule.formatted(each.getKey(), each.getValue()) + how)
                                .stream());
    }

    private interface Constraint {

        /** Describes the violation; empty if there is none. */
        Optional<String> broken(Quantity enforced, @Nullable Quantity request, @Nullable Quantity limit);
    }

    /** {@code minConstraint}. */
    private static Optional<String> belowMin(Quantity least, @Nullable Quantity request, @Nullable Quantity limit) {
        if (request == null) {
            return Optional.of(".  No request is specified");
        } else if (request.compareTo(least) < 0) {
            return Optional.of(", but request is " + request);
        }
        return limit != null && limit.compareTo(least) < 0 ? Optional.of(", but limit is " + limit) : Optional.empty();
    }

    /** {@code maxConstraint}. */
    private static Optional<String> aboveMax(Quantity most, @Nullable Quantity request, @Nullable Quantity limit) {
        if (limit == null) {
            return Optional.of(".  No limit is specified");
        } else if (limit.compareTo(most) > 0) {
            return Optional.of(", but limit is " + limit);
        }
        return request != null && request.compareTo(most) > 0
                ? Optional.of(", but request is " + request)
                : Optional.empty();
    }

    /** {@code limitRequestRatioConstraint}. */
    private static Optional<String> aboveRatio(Quantity most, @Nullable Quantity request, @Nullable Quantity limit) {
        if (request == null || request.signum() == 0) {
            return Optional.of(", but no request is specified or request is 0");
        } else if (limit == null || limit.signum() == 0) {
            return Optional.of(", but no limit is specified or limit is 0");
        }
        double ratio = limit.value().doubleValue() / request.value().doubleValue();
        return ratio > most.value().doubleValue()
                ? Optional.of(String.format(Locale.ROOT, ", but provided ratio is %f", ratio))
                : Optional.empty();
    }
}
