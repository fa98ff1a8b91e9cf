package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.BindingConditions;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Why the devices of a pod are not ready for its binding yet, or why they cannot become ready (KEP-5007). */
final class BindingFacts {

    /** kube-scheduler's {@code bindingTimeout} and the companion's setting have the same default. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private BindingFacts() {}

    /** @param claims the claims of the pod, all of them allocated */
    static Answer of(Subject pod, List<ResourceClaim> claims) {
        Optional<String> failure = claims.stream()
                .flatMap(claim -> BindingConditions.failure(claim).stream())
                .findFirst();
        List<String> unmet = claims.stream()
                .flatMap(claim -> BindingConditions.unmet(claim).stream())
                .toList();
        Answer answer = failure.map(text -> Answer.pending(pod, Code.BindingFailed, text))
                .orElseGet(() -> Answer.pending(
                        pod,
                        Code.NotBoundYet,
                        unmet.isEmpty()
                                ? "its devices are allocated, but its scheduler has not bound it to a node yet"
                                : BindingConditions.awaited(until(claims), unmet)));
        return answer.withFacts(claims.stream()
                        .flatMap(claim -> AllocatedDeviceText.of(claim).stream())
                        .toList())
                .withFacts(
                        unmet.isEmpty()
                                ? List.of()
                                : List.of("schedulers wait 10 minutes for binding conditions, unless they are set"
                                        + " otherwise"));
    }

    private static Optional<Instant> until(List<ResourceClaim> claims) {
        return claims.stream()
                .filter(claim -> !BindingConditions.areMet(claim))
                .flatMap(claim -> BindingConditions.allocatedAt(claim).stream())
                .min(Comparator.naturalOrder())
                .map(first -> first.plus(TIMEOUT));
    }
}
