package dev.fakegpu.cluster.quota;

import dev.fakegpu.dra.Quantity;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The quota usage of pods and claims, computed once for each version of an object, because in large namespaces each new object needs that
 * of all others. Not thread-safe.
 */
public final class QuotaUsages {

    private final Supplier<Instant> now;
    private final Map<String, Known> known = new HashMap<>();

    /** @param extendedResources the extended resources with which it was computed */
    private record Known(
            HasMetadata object, Map<String, Optional<String>> extendedResources, Map<String, Quantity> usage) {

        boolean isOf(HasMetadata other, Map<String, Optional<String>> resources) {
            return object == other && extendedResources.equals(resources);
        }
    }

    /** @param now the time of the cluster */
    public QuotaUsages(Supplier<Instant> now) {
        this.now = now;
    }

    Map<String, Quantity> of(Pod pod) {
        boolean isGoing = pod.getMetadata().getDeletionTimestamp() != null; // the usage depends on the time
        return isGoing ? PodQuotaUsage.of(pod, now.get()) : of(pod, Map.of(), () -> PodQuotaUsage.of(pod, now.get()));
    }

    /** The usage of a claim that is not for extended resources of a pod. */
    Map<String, Quantity> of(ResourceClaim claim, Map<String, Optional<String>> extendedResources) {
        return of(claim, extendedResources, () -> ClaimQuotaUsage.of(claim, extendedResources, Map.of()));
    }

    private Map<String, Quantity> of(
            HasMetadata object,
            Map<String, Optional<String>> extendedResources,
            Supplier<Map<String, Quantity>> computed) {
        String uid = object.getMetadata().getUid();
        if (uid == null) {
            return computed.get();
        }
        Known last = known.get(uid);
        if (last == null || !last.isOf(object, extendedResources)) {
            last = new Known(object, extendedResources, computed.get());
            known.put(uid, last);
        }
        return last.usage();
    }
}
