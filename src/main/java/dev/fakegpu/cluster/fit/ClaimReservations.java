package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Limits;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** For whom claims would be reserved if pods got devices together, since the API limits the number. Not thread-safe. */
public final class ClaimReservations {

    /** UIDs of the consumers, by UID of the claim. */
    private final Map<String, Set<String>> consumers = new HashMap<>();

    /**
     * Adds a pod, unless one of its claims has no room for it.
     *
     * @param group of the pod; empty if it has none, or if groups are not known
     * @return why it was not added; empty if it was
     */
    public Optional<String> add(Pod pod, List<ResourceClaim> claims, Optional<PodGroup> group) {
        Optional<String> problem = claims.stream()
                .filter(claim -> {
                    Set<String> known = of(claim);
                    return known.size() >= Limits.RESERVATIONS && !known.contains(consumer(pod, claim, group));
                })
                .map(ClaimReservations::tooMany)
                .findFirst();
        if (problem.isEmpty()) {
            claims.forEach(claim -> of(claim).add(consumer(pod, claim, group)));
        }
        return problem;
    }

    private static String consumer(Pod pod, ResourceClaim claim, Optional<PodGroup> group) {
        return PodClaims.consumer(pod, claim, group).getUid();
    }

    private Set<String> of(ResourceClaim claim) {
        return consumers.computeIfAbsent(claim.getMetadata().getUid(), ignored -> {
            var known = new HashSet<String>();
            if (claim.getStatus() != null) {
                claim.getStatus().getReservedFor().stream()
                        .map(ResourceClaimConsumerReference::getUid)
                        .forEach(known::add);
            }
            return known;
        });
    }

    private static String tooMany(ResourceClaim claim) {
        return ("ResourceClaim \"%s\" would be reserved for more than %d consumers, which is the most that the API allows; if the PodGroup"
                        + " lists the claim, it is reserved once for all pods of the group")
                .formatted(claim.getMetadata().getName(), Limits.RESERVATIONS);
    }
}
