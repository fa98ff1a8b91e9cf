package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.resource.v1.AllocatedDeviceStatus;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResultBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes claims as kube-scheduler does in PreBind: the finalizer first, then allocation and reservation in one status update, together with
 * the recorded compatibility groups. Every write carries the resource version on which the decision is based. If the claim has changed
 * since, the write fails with a conflict, and the item is scheduled again.
 */
public final class ClaimWriter {

    /** Keeps an allocated claim from being deleted while it has consumers; kube-scheduler and kube-controller-manager use it too. */
    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";

    /** The number of random characters that are appended to a prefix, as the API server does. */
    private static final int SUFFIX = 5;

    private final ObjectClient client;
    private final ObjectStore<ResourceClaim> claims;
    private final Clock clock;

    public ClaimWriter(ObjectClient client, ObjectStore<ResourceClaim> claims, Clock clock) {
        this.client = client;
        this.clock = clock;
        this.claims = claims;
    }

    /**
     * @param claim has the finalizer already
     * @param consumers for whom the claim is also reserved; none for a claim without a pod
     */
    void allocate(
            ResourceClaim claim,
            Allocation allocation,
            List<AllocatedDeviceStatus> devices,
            List<ResourceClaimConsumerReference> consumers) {
        var status = new ResourceClaimBuilder(claim)
                .editOrNewStatus()
                .withAllocation(new AllocationResultBuilder(Allocations.write(allocation))
                        .withAllocationTimestamp(
                                clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                        .build())
                .withDevices(devices)
                .addAllToReservedFor(consumers);
        written(client.updateStatus(claim, status.endStatus().build()));
    }

    void reserve(ResourceClaim claim, List<ResourceClaimConsumerReference> consumers) {
        written(client.updateStatus(
                claim,
                new ResourceClaimBuilder(claim)
                        .editStatus()
                        .addAllToReservedFor(consumers)
                        .endStatus()
                        .build()));
    }

    /** Removes all reservations except the remaining ones; if none remain, also removes the allocation and then the finalizer. */
    void release(ResourceClaim claim, List<ResourceClaimConsumerReference> remaining) {
        var status = new ResourceClaimBuilder(claim).editOrNewStatus().withReservedFor(remaining);
        if (remaining.isEmpty()) {
            status.withAllocation(null).withDevices();
        }
        var released = written(client.updateStatus(claim, status.endStatus().build()));
        if (remaining.isEmpty()) {
            unprotect(released);
        }
    }

    /** Annotates the claim with the reason why it is not allocated; writes nothing if it already has this annotation. */
    public void explain(ResourceClaim claim, String reasonAndSentence) {
        String annotation = SafeText.of(reasonAndSentence, SafeText.CONDITION_MESSAGE);
        if (annotation.equals(annotations(claim).get(Labels.NOT_ALLOCATED))) {
            return;
        }
        written(client.update(
                claim,
                new ResourceClaimBuilder(claim)
                        .editMetadata()
                        .addToAnnotations(Labels.NOT_ALLOCATED, annotation)
                        .endMetadata()
                        .build()));
    }

    /** Creates the claim with the finalizer. The name is chosen here, so that a retried request does not create a second claim. */
    ResourceClaim create(ResourceClaim claim) {
        return written(client.create(new ResourceClaimBuilder(claim)
                .editMetadata()
                .withName(name(claim))
                .withUid(null)
                .addToFinalizers(FINALIZER)
                .endMetadata()
                .build()));
    }

    private static String name(ResourceClaim claim) {
        String prefix = claim.getMetadata().getGenerateName();
        return prefix.substring(0, Math.min(prefix.length(), Limits.SUBDOMAIN - SUFFIX))
                + UUID.randomUUID().toString().substring(0, SUFFIX);
    }

    /** Releases the claim before it is deleted. */
    void delete(ResourceClaim claim) {
        if (Allocations.isAllocated(claim)) {
            release(claim, List.of());
        } else {
            unprotect(claim);
        }
        client.delete(claim);
    }

    /** The claim as the API server has it now; null if it has been deleted. */
    @Nullable ResourceClaim read(ResourceClaim claim) {
        var stored = client.get(claim);
        if (stored == null
                || !stored.getMetadata().getUid().equals(claim.getMetadata().getUid())) {
            return null;
        }
        return written(stored);
    }

    /**
     * Adds the finalizer before the allocation, so that an allocated claim always has it. If the claim has changed since the decision only
     * by the annotation of {@link #explain}, the decision still holds; scheduling the item again would let later items overtake it.
     */
    ResourceClaim protect(ResourceClaim claim) {
        try {
            return protectVersion(claim);
        } catch (KubernetesClientException e) {
            var stored = e.getCode() == HttpURLConnection.HTTP_CONFLICT ? read(claim) : null;
            if (stored == null || !withoutExplanation(stored).equals(withoutExplanation(claim))) {
                throw e;
            }
            return protectVersion(stored);
        }
    }

    private static ResourceClaim withoutExplanation(ResourceClaim claim) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .removeFromAnnotations(Labels.NOT_ALLOCATED)
                .withResourceVersion(null)
                .withManagedFields()
                .endMetadata()
                .build();
    }

    private ResourceClaim protectVersion(ResourceClaim claim) {
        var finalizers = new ArrayList<>(claim.getMetadata().getFinalizers());
        var annotations = new HashMap<>(annotations(claim));
        boolean changed = annotations.remove(Labels.NOT_ALLOCATED) != null;
        if (!finalizers.contains(FINALIZER)) {
            changed = finalizers.add(FINALIZER);
        }
        if (!changed) {
            return claim;
        }
        return written(client.update(
                claim,
                new ResourceClaimBuilder(claim)
                        .editMetadata()
                        .withFinalizers(finalizers)
                        .withAnnotations(annotations)
                        .endMetadata()
                        .build()));
    }

    /** Removes the finalizer; writes nothing if the claim does not have it. */
    void unprotect(ResourceClaim claim) {
        if (!claim.getMetadata().getFinalizers().contains(FINALIZER)) {
            return;
        }
        written(client.update(
                claim,
                new ResourceClaimBuilder(claim)
                        .editMetadata()
                        .removeFromFinalizers(FINALIZER)
                        .endMetadata()
                        .build()));
    }

    /** Whether the API server would refuse the same write again, because it is invalid or forbidden. */
    static boolean isRefused(KubernetesClientException e) {
        return Refusals.isRefusal(e);
    }

    /** Whether a write failed because the object has changed or been deleted since it was read. */
    static boolean isOutdated(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    }

    private static Map<String, String> annotations(ResourceClaim claim) {
        return Objects.requireNonNullElse(claim.getMetadata().getAnnotations(), Map.of());
    }

    private ResourceClaim written(ResourceClaim claim) {
        claims.written(claim);
        return claim;
    }
}
