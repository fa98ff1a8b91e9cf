package dev.fakegpu.kube.watch;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodExtendedResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReferenceBuilder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ResourceClaims of a pod: those of its spec, and the one for its extended resources.
 *
 * @param claims the claims in the order of {@code spec.resourceClaims}, followed by the one for extended resources; a claim that the pod
 *     names several times occurs once
 * @param waitingFor one sentence for each reference to a claim that does not exist yet
 * @param areBeingMade whether only claims of templates are missing, which kube-controller-manager creates
 */
public record PodClaims(List<ResourceClaim> claims, List<String> waitingFor, boolean areBeingMade) {

    /**
     * How long a pod may have to wait for the claims of its templates. kube-controller-manager sends 20 requests per second, so pods can be
     * created faster than their claims.
     */
    public static final Duration CREATION_TIME = Duration.ofSeconds(10);

    private static final String SCHEDULING = "scheduling.k8s.io";
    private static final String GROUPS = "podgroups";

    public PodClaims {
        claims = List.copyOf(claims);
        waitingFor = List.copyOf(waitingFor);
    }

    public static PodClaims of(Pod pod, ObjectLookup<ResourceClaim> store) {
        var claims = new LinkedHashMap<String, ResourceClaim>();
        var waitingFor = new LinkedHashSet<String>();
        var templates = new LinkedHashSet<String>();
        for (var reference : pod.getSpec().getResourceClaims()) {
            if (isNotNeeded(pod, reference.getName())) {
                continue;
            }
            String name = name(pod, reference);
            if (name == null) {
                templates.add(notCreated(reference.getResourceClaimTemplateName()));
                continue;
            }
            store.get(pod.getMetadata().getNamespace(), name)
                    .filter(claim -> reference.getResourceClaimTemplateName() == null || isOwnedBy(claim, pod))
                    .ifPresentOrElse(
                            claim -> claims.putIfAbsent(name, claim), () -> waitingFor.add(doesNotExist(name)));
        }
        Optional<String> forExtendedResources = forExtendedResources(pod);
        forExtendedResources
                .flatMap(name -> store.get(pod.getMetadata().getNamespace(), name))
                .ifPresentOrElse(
                        claim -> claims.putIfAbsent(claim.getMetadata().getName(), claim),
                        () -> forExtendedResources.ifPresent(name -> waitingFor.add(doesNotExist(name))));
        return new PodClaims(
                List.copyOf(claims.values()),
                Stream.concat(waitingFor.stream(), templates.stream()).toList(),
                waitingFor.isEmpty() && !templates.isEmpty());
    }

    /** The sentence about a claim that is to be created from a template, which schedulers do not read. */
    public static String notCreated(String template) {
        return ("there is no ResourceClaim for template \"%1$s\"; kube-controller-manager creates it if"
                        + " ResourceClaimTemplate \"%1$s\" exists, or says in an event of the pod why not")
                .formatted(template);
    }

    /** The sentence about a claim that a pod names. */
    public static String doesNotExist(String claim) {
        return "ResourceClaim \"%s\" does not exist".formatted(claim);
    }

    /** The name of the claim that kube-scheduler created for extended resources backed by a DeviceClass (KEP-5004). */
    private static Optional<String> forExtendedResources(Pod pod) {
        return Optional.ofNullable(pod.getStatus())
                .map(PodStatus::getExtendedResourceClaimStatus)
                .map(PodExtendedResourceClaimStatus::getResourceClaimName);
    }

    /** The claim with this name in {@code spec.resourceClaims}, if it exists. */
    public static Optional<ResourceClaim> named(Pod pod, String reference, ObjectLookup<ResourceClaim> store) {
        return claimName(pod, reference)
                .flatMap(name -> store.get(pod.getMetadata().getNamespace(), name));
    }

    /** The name of the claim for an entry of {@code spec.resourceClaims}; empty if no claim is needed or the name is not known yet. */
    public static Optional<String> claimName(Pod pod, String reference) {
        return pod.getSpec().getResourceClaims().stream()
                .filter(claim -> claim.getName().equals(reference) && !isNotNeeded(pod, reference))
                .flatMap(claim -> Stream.ofNullable(name(pod, claim)))
                .findFirst();
    }

    /** The names of the claims, as far as they are known. */
    public static List<String> names(Pod pod) {
        return Stream.concat(ownNames(pod, Optional.empty()), forExtendedResources(pod).stream())
                .distinct()
                .toList();
    }

    /** The same without the claim for extended resources, and without claims that the pod's group shares. */
    public static Stream<String> ownNames(Pod pod, Optional<PodGroup> group) {
        return pod.getSpec().getResourceClaims().stream()
                .filter(reference -> !isNotNeeded(pod, reference.getName()))
                .filter(reference ->
                        group.filter(shared -> shared.shares(reference)).isEmpty())
                .map(reference -> name(pod, reference))
                .flatMap(Stream::ofNullable);
    }

    /** Whether every claim exists, is allocated and is reserved for the pod. */
    public boolean areUsableBy(Pod pod) {
        return waitingFor.isEmpty()
                && claims.stream().allMatch(claim -> Allocations.isAllocated(claim) && isReservedFor(claim, pod));
    }

    /** Whether the pod, or the PodGroup of which it is a member, may use the claim. Upstream: {@code IsReservedForPod}. */
    public static boolean isReservedFor(ResourceClaim claim, Pod pod) {
        return isReservedForItself(claim, pod) || isReservedForGroup(claim, pod);
    }

    public static boolean isReservedForItself(ResourceClaim claim, Pod pod) {
        return claim.getStatus() != null
                && claim.getStatus().getReservedFor().stream()
                        .anyMatch(consumer -> pod.getMetadata().getUid().equals(consumer.getUid()));
    }

    /** Whether the pod's PodGroup shares the claim (KEP-5729). Pods do not know the UID of their group. */
    public static boolean isReservedForGroup(ResourceClaim claim, Pod pod) {
        Optional<String> group = PodGroup.nameFor(pod);
        return group.isPresent()
                && claim.getStatus() != null
                && claim.getStatus().getReservedFor().stream()
                        .anyMatch(consumer -> isGroup(consumer) && group.get().equals(consumer.getName()));
    }

    /** Whether this entry of {@code status.reservedFor} reserves the claim for a PodGroup. */
    public static boolean isGroup(ResourceClaimConsumerReference consumer) {
        return SCHEDULING.equals(consumer.getApiGroup()) && GROUPS.equals(consumer.getResource());
    }

    /**
     * The consumer for which a claim of the pod is reserved: its PodGroup if that shares the claim, otherwise the pod. Upstream:
     * {@code BindTo} in {@code resourceclaim.go}.
     *
     * @param group the pod's group; empty if it has none, or if groups are not known
     */
    public static ResourceClaimConsumerReference consumer(Pod pod, ResourceClaim claim, Optional<PodGroup> group) {
        boolean isShared = group.isPresent()
                && pod.getSpec().getResourceClaims().stream()
                        .anyMatch(reference -> group.get().shares(reference)
                                && claim.getMetadata().getName().equals(name(pod, reference)));
        HasMetadata consumer = isShared ? group.get() : pod;
        return new ResourceClaimConsumerReferenceBuilder()
                .withApiGroup(isShared ? SCHEDULING : null)
                .withResource(isShared ? GROUPS : "pods")
                .withName(consumer.getMetadata().getName())
                .withUid(consumer.getMetadata().getUid())
                .build();
    }

    /** Whether kube-controller-manager has decided that no claim is needed: then the status entry has no claim name. */
    private static boolean isNotNeeded(Pod pod, String reference) {
        return pod.getStatus() != null
                && pod.getStatus().getResourceClaimStatuses().stream()
                        .anyMatch(
                                status -> status.getName().equals(reference) && status.getResourceClaimName() == null);
    }

    private static @Nullable String name(Pod pod, PodResourceClaim reference) {
        return reference.getResourceClaimName() != null
                ? reference.getResourceClaimName()
                : generatedName(pod, reference.getName());
    }

    private static @Nullable String generatedName(Pod pod, String reference) {
        if (pod.getStatus() == null) {
            return null;
        }
        return pod.getStatus().getResourceClaimStatuses().stream()
                .filter(status -> status.getName().equals(reference))
                .map(status -> Objects.requireNonNull(status.getResourceClaimName()))
                .findFirst()
                .orElse(null);
    }

    /** Whether the claim was created for the pod or its PodGroup. Upstream: {@code IsForPod}. */
    private static boolean isOwnedBy(ResourceClaim claim, Pod pod) {
        return claim.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> pod.getMetadata().getUid().equals(owner.getUid()) || isGroupOf(pod, owner));
    }

    private static boolean isGroupOf(Pod pod, OwnerReference owner) {
        return Boolean.TRUE.equals(owner.getController())
                && "PodGroup".equals(owner.getKind())
                && owner.getApiVersion().startsWith(SCHEDULING + "/")
                && PodGroup.nameFor(pod)
                        .filter(name -> name.equals(owner.getName()))
                        .isPresent();
    }
}
