package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatusBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTolerationBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A cluster's objects with changes that nobody has made yet. Not thread-safe. */
public final class ChangedCluster {

    private ClusterObjects objects;
    private final List<Pod> added = new ArrayList<>();
    private final List<ResourceClaim> addedClaims = new ArrayList<>();
    private final List<Pod> evicted = new ArrayList<>();
    private final List<Pod> pending = new ArrayList<>();

    public ChangedCluster(ClusterObjects before) {
        objects = before;
    }

    /** Removes a pod and its claims; a claim of others is released if nobody else uses it. */
    public void remove(Pod pod) {
        detach(pod);
        objects = objects.without(object -> object instanceof ResourceClaim claim && isOwnedBy(claim, pod))
                .without(object -> object instanceof Pod other && isSame(other, pod));
    }

    /** Takes a pod off its node and its devices from it; it is pending again. */
    public void evict(Pod pod) {
        detach(pod);
        Pod pending = new PodBuilder(pod)
                .editSpec()
                .withNodeName(null)
                .endSpec()
                .editOrNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
        objects = objects.with(List.of(pending));
        evicted.add(pending);
    }

    private void detach(Pod pod) {
        for (String name : PodClaims.names(pod)) {
            objects.claim(pod.getMetadata().getNamespace(), name)
                    .ifPresent(claim -> objects = objects.with(List.of(withoutUser(claim, pod))));
        }
    }

    private static ResourceClaim withoutUser(ResourceClaim claim, Pod pod) {
        if (claim.getStatus() == null) {
            return claim;
        }
        var others = claim.getStatus().getReservedFor().stream()
                .filter(consumer -> !pod.getMetadata().getUid().equals(consumer.getUid()))
                .toList();
        var changed = new ResourceClaimBuilder(claim).editStatus().withReservedFor(others);
        if (others.isEmpty()) {
            changed.withAllocation(null).withDevices(List.of());
        }
        return changed.endStatus().build();
    }

    /** Releases a claim's devices: the pods that use it are gone, and so is the claim if it was theirs. */
    public void release(ResourceClaim claim) {
        String namespace = claim.getMetadata().getNamespace();
        String name = claim.getMetadata().getName();
        objects.pods().stream()
                .filter(pod -> pod.getMetadata().getNamespace().equals(namespace)
                        && PodState.isBound(pod)
                        && PodClaims.names(pod).contains(name))
                .toList()
                .forEach(this::remove);
        objects.claim(namespace, name)
                .filter(Allocations::isAllocated)
                .ifPresent(left -> objects = objects.with(List.of(new ResourceClaimBuilder(left)
                        .editStatus()
                        .withReservedFor(List.of())
                        .withAllocation(null)
                        .withDevices(List.of())
                        .endStatus()
                        .build())));
    }

    /**
     * Lets all requests of a claim tolerate a taint.
     *
     * @return the claim as it is then
     */
    public ResourceClaim tolerate(ResourceClaim claim, DeviceTaint taint) {
        DeviceToleration toleration = new DeviceTolerationBuilder()
                .withKey(taint.key())
                .withOperator("Equal")
                .withValue(taint.value())
                .withEffect(taint.effect())
                .build();
        ResourceClaim tolerant = new ResourceClaimBuilder(claim).build();
        tolerant.getSpec().getDevices().getRequests().forEach(request -> {
            if (request.getExactly() != null) {
                request.getExactly().setTolerations(with(request.getExactly().getTolerations(), toleration));
            }
            request.getFirstAvailable().forEach(sub -> sub.setTolerations(with(sub.getTolerations(), toleration)));
        });
        objects = objects.with(List.of(tolerant));
        return tolerant;
    }

    private static List<DeviceToleration> with(List<DeviceToleration> known, DeviceToleration more) {
        return Stream.concat(known.stream(), Stream.of(more)).toList();
    }

    /** Has a pending pod placed, and not only looked at. */
    public void place(Pod pod) {
        pending.add(pod);
    }

    /** Has a claim placed that is there and waits. */
    public void place(ResourceClaim claim) {
        addedClaims.add(claim);
    }

    /** Removes objects, such as the slices that a changed FakeGpu no longer publishes. */
    public void remove(Predicate<HasMetadata> removed) {
        objects = objects.without(removed);
    }

    /**
     * Adds objects, which replace those of the same name. Pods get the claims that kube-controller-manager would create from their
     * templates.
     */
    public void add(List<? extends HasMetadata> more) {
        objects = objects.with(more);
        for (HasMetadata object : more) {
            if (object instanceof Pod pod) {
                added.add(withClaims(pod));
            } else if (object instanceof ResourceClaim claim && !Allocations.isAllocated(claim)) {
                addedClaims.add(claim);
            }
        }
        objects = objects.with(added);
    }

    private Pod withClaims(Pod pod) {
        var statuses = new ArrayList<PodResourceClaimStatus>();
        for (PodResourceClaim reference : pod.getSpec().getResourceClaims()) {
            template(pod, reference).ifPresent(template -> {
                ResourceClaim claim = claim(pod, reference, template);
                objects = objects.with(List.of(claim));
                statuses.add(new PodResourceClaimStatusBuilder()
                        .withName(reference.getName())
                        .withResourceClaimName(claim.getMetadata().getName())
                        .build());
            });
        }
        return new PodBuilder(pod)
                .editOrNewStatus()
                .withResourceClaimStatuses(statuses)
                .endStatus()
                .build();
    }

    private Optional<ResourceClaimTemplate> template(Pod pod, PodResourceClaim reference) {
        return objects.claimTemplates().stream()
                .filter(template -> Objects.equals(
                                template.getMetadata().getNamespace(),
                                pod.getMetadata().getNamespace())
                        && template.getMetadata().getName().equals(reference.getResourceClaimTemplateName()))
                .findFirst();
    }

    private static ResourceClaim claim(Pod pod, PodResourceClaim reference, ResourceClaimTemplate template) {
        String name = pod.getMetadata().getName() + "-" + reference.getName();
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(name)
                .withUid(pod.getMetadata().getUid() + "/" + reference.getName())
                .withCreationTimestamp(pod.getMetadata().getCreationTimestamp())
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .build())
                .endMetadata()
                .withSpec(template.getSpec().getSpec())
                .build();
    }

    private static boolean isOwnedBy(ResourceClaim claim, Pod pod) {
        return claim.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> pod.getMetadata().getUid().equals(owner.getUid()));
    }

    private static boolean isSame(Pod one, Pod other) {
        return one.getMetadata().getUid().equals(other.getMetadata().getUid());
    }

    ClusterSnapshot snapshot() {
        return new ClusterSnapshot(objects);
    }

    /** New pods, in the order in which they were added. */
    List<Pod> added() {
        return added;
    }

    /** Claims without an allocation that are to be placed. */
    List<ResourceClaim> addedClaims() {
        return addedClaims;
    }

    List<Pod> evicted() {
        return evicted;
    }

    /** Pending pods that are to be placed. */
    List<Pod> pending() {
        return pending;
    }
}
