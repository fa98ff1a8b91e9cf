package dev.fakegpu.cluster.quota;

import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClassSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides like {@code CheckRequest}, but based on the stored objects instead of the usage that a controller has counted.
 *
 * @param quotas the quotas of the namespace
 * @param pods the pods of the namespace
 * @param claims the claims of the namespace
 * @param extendedResources the extended resources of all DeviceClasses, by name of the class; empty for a class that has none
 * @param usages the usage of pods and claims
 */
public record QuotaAdmission(
        List<ResourceQuota> quotas,
        Collection<Pod> pods,
        Collection<ResourceClaim> claims,
        Map<String, Optional<String>> extendedResources,
        QuotaUsages usages) {

    /** A claim that is being created is the newest. */
    private static final Comparator<ResourceClaim> BY_AGE = Comparator.comparing(
                    (ResourceClaim claim) -> claim.getMetadata().getCreationTimestamp(),
                    Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(claim -> claim.getMetadata().getName());

    private static final String OF_EXTENDED_RESOURCES = "resource.kubernetes.io/extended-resource-claim";

    /** The admission of a namespace. Quotas and pods without a spec, which files may have, do not count. */
    public static QuotaAdmission in(
            String namespace,
            Collection<ResourceQuota> quotas,
            Collection<Pod> pods,
            Collection<ResourceClaim> claims,
            Collection<DeviceClass> classes,
            QuotaUsages usages) {
        return new QuotaAdmission(
                of(namespace, quotas, ResourceQuota::getSpec),
                of(namespace, pods, Pod::getSpec),
                of(namespace, claims, ResourceClaim::getMetadata),
                extendedResources(classes),
                usages);
    }

    /** @param needed a field that each object must have */
    private static <T extends HasMetadata> List<T> of(
            String namespace, Collection<T> objects, Function<T, @Nullable Object> needed) {
        return objects.stream()
                .filter(each -> namespace.equals(each.getMetadata().getNamespace()) && needed.apply(each) != null)
                .toList();
    }

    private static Map<String, Optional<String>> extendedResources(Collection<DeviceClass> classes) {
        Map<String, Optional<String>> resources = new HashMap<>();
        classes.forEach(each -> resources.put(
                each.getMetadata().getName(),
                Optional.ofNullable(each.getSpec()).map(DeviceClassSpec::getExtendedResourceName)));
        return resources;
    }

    /** Why a new pod is refused. */
    public Optional<String> refusal(Pod pod) {
        List<ResourceQuota> matching =
                quotas.stream().filter(quota -> QuotaScopes.include(quota, pod)).toList();
        return Stream.concat(
                        matching.stream().flatMap(quota -> unsaid(quota, pod).stream()),
                        matching.stream().flatMap(quota -> exceeded(quota, usages.of(pod)).stream()))
                .findFirst()
                .map(detail -> forbidden("pods", pod, detail));
    }

    private static Optional<String> unsaid(ResourceQuota quota, Pod pod) {
        return Optional.of(PodQuotaUsage.unsaid(pod, hard(quota).keySet()))
                .filter(unsaid -> !unsaid.isEmpty())
                .map(unsaid -> "failed quota: %s: must specify %s"
                        .formatted(quota.getMetadata().getName(), unsaid));
    }

    /** Why a new claim is refused. */
    public Optional<String> refusal(ResourceClaim claim) {
        return forbids(claim).map(detail -> forbidden("resourceclaims.resource.k8s.io", claim, detail));
    }

    /** Why a new claim is refused, without the name of the claim. */
    public Optional<String> forbids(ResourceClaim claim) {
        return quotas.stream()
                .filter(this::isOfClaims)
                .flatMap(quota -> exceeded(quota, usage(claim)).stream())
                .findFirst();
    }

    /** Only such a quota counts claims, but then for all of its resources. */
    private boolean isOfClaims(ResourceQuota quota) {
        return QuotaScopes.areNone(quota)
                && hard(quota).keySet().stream()
                        .anyMatch(resource -> ClaimQuotaUsage.isOfClaims(resource, extendedResources));
    }

    private static String forbidden(String resource, HasMetadata object, String detail) {
        return "%s \"%s\" is forbidden: %s"
                .formatted(resource, object.getMetadata().getName(), detail);
    }

    private static Map<String, Quantity> hard(ResourceQuota quota) {
        Map<String, Quantity> hard = new TreeMap<>();
        quota.getSpec().getHard().forEach((resource, amount) -> hard.put(resource, SliceReader.quantity(amount)));
        return hard;
    }

    private Optional<String> exceeded(ResourceQuota quota, Map<String, Quantity> requested) {
        Map<String, Quantity> hard = hard(quota);
        Set<String> limited = requested.entrySet().stream()
                .filter(each ->
                        hard.containsKey(each.getKey()) && each.getValue().signum() > 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Quantity> used = limited.isEmpty() ? Map.of() : used(quota, limited);
        limited.removeIf(resource ->
                amount(used, resource).plus(amount(requested, resource)).compareTo(amount(hard, resource)) <= 0);
        return limited.isEmpty()
                ? Optional.empty()
                : Optional.of("exceeded quota: %s, requested: %s, used: %s, limited: %s"
                        .formatted(
                                quota.getMetadata().getName(),
                                text(limited, requested),
                                text(limited, used),
                                text(limited, hard)));
    }

    private static Quantity amount(Map<String, Quantity> amounts, String resource) {
        return amounts.getOrDefault(resource, Quantity.ZERO);
    }

    private static String text(Set<String> resources, Map<String, Quantity> amounts) {
        return resources.stream()
                .map(resource -> resource + "=" + amount(amounts, resource))
                .collect(Collectors.joining(","));
    }

    /** @param limited the relevant resources */
    private Map<String, Quantity> used(ResourceQuota quota, Set<String> limited) {
        Map<String, Quantity> used = new TreeMap<>();
        boolean areClaimsCounted = isOfClaims(quota);
        Stream<Map<String, Quantity>> ofPods =
                pods.stream().filter(pod -> QuotaScopes.include(quota, pod)).map(usages::of);
        Stream<Map<String, Quantity>> ofClaims =
                areClaimsCounted ? claims.stream().map(this::usage) : Stream.of();
        Stream.concat(ofPods, ofClaims)
                .forEach(usage -> limited.forEach(resource -> {
                    Quantity amount = usage.get(resource);
                    if (amount != null) {
                        used.merge(resource, amount, Quantity::plus);
                    }
                }));
        return used;
    }

    private Map<String, Quantity> usage(ResourceClaim claim) {
        return isForExtendedResources(claim)
                ? ClaimQuotaUsage.of(
                        claim,
                        extendedResources,
                        pods.stream()
                                .filter(pod -> isFor(claim, pod))
                                .findFirst()
                                .map(usages::of)
                                .orElse(Map.of()))
                : usages.of(claim, extendedResources);
    }

    private static boolean isForExtendedResources(ResourceClaim claim) {
        var annotations = claim.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(OF_EXTENDED_RESOURCES));
    }

    /** Whether the pod already counts for the devices of a claim for its extended resources ({@code getVerifiedPodUsage}). */
    private boolean isFor(ResourceClaim claim, Pod pod) {
        if (!isOf(pod, claim)) {
            return false;
        }
        var status = pod.getStatus() == null ? null : pod.getStatus().getExtendedResourceClaimStatus();
        return status == null
                ? claims.stream().filter(other -> isOf(pod, other)).noneMatch(other -> BY_AGE.compare(other, claim) < 0)
                : claim.getMetadata().getName().equals(status.getResourceClaimName());
    }

    private static boolean isOf(Pod pod, ResourceClaim claim) {
        return isForExtendedResources(claim)
                && claim.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                                && owner.getUid().equals(pod.getMetadata().getUid()));
    }
}
