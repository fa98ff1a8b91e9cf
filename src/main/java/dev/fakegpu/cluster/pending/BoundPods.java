package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.NotPreparable;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;

/** Explains pods that have a node and devices. */
final class BoundPods {

    private BoundPods() {}

    /** Whether a pod has all its claims and these have devices. */
    static boolean isComplete(PodClaims claims) {
        return claims.waitingFor().isEmpty() && claims.claims().stream().allMatch(Allocations::isAllocated);
    }

    /** @param claims the claims of the pod, all of them allocated */
    static Answer explain(Pod pod, List<ResourceClaim> claims, ExplainedCluster cluster) {
        List<String> held = claims.stream()
                .flatMap(claim -> AllocatedDeviceText.of(claim).stream())
                .toList();
        return gone(pod, cluster.snapshot().objects())
                .or(() -> unprepared(pod, claims, cluster))
                .orElseGet(() -> healthOr(served(pod, held.size()), claims, cluster))
                .withFacts(held);
    }

    /**
     * Explains a pod that was created with a node name: kube-scheduler ignores it, and kube-controller-manager only reserves claims that
     * have devices. The companion allocates for such pods.
     */
    static Optional<Answer> withoutScheduler(Pod pod, PodClaims claims) {
        return claims.claims().stream()
                .filter(claim -> Scheduler.of(pod) != Scheduler.COMPANION && !Allocations.isAllocated(claim))
                .findFirst()
                .map(claim -> Answer.pending(
                        Subject.of(pod),
                        Code.HasNode,
                        ("kube-scheduler skips pods that have a node, so claim %s gets no devices; create the pod"
                                        + " again with a nodeSelector for %s instead of spec.nodeName")
                                .formatted(
                                        claim.getMetadata().getName(),
                                        pod.getSpec().getNodeName())));
    }

    private static Optional<Answer> gone(Pod pod, ClusterObjects objects) {
        return NotPreparable.nodeOf(pod, objects)
                .map(problem -> Answer.of(
                        Subject.of(pod),
                        State.UNPREPARED,
                        Code.NodeGone,
                        "%s, on which the pod is; delete pod %s"
                                .formatted(problem, pod.getMetadata().getName())));
    }

    private static Optional<Answer> unprepared(Pod pod, List<ResourceClaim> claims, ExplainedCluster cluster) {
        List<String> failed = PodState.isRunning(pod)
                ? List.of()
                : claims.stream()
                        .flatMap(claim -> cluster.notPrepared(pod, claim))
                        .toList();
        return Optional.of(String.join("; ", failed))
                .filter(text -> !text.isEmpty())
                .map(problem -> Answer.of(
                        Subject.of(pod),
                        State.UNPREPARED,
                        Code.NotPrepared,
                        "its devices are allocated, but cannot be prepared on node %s: %s"
                                .formatted(pod.getSpec().getNodeName(), problem)));
    }

    /** Reports broken hardware of a running pod, which nothing else would show because the pod keeps running. */
    private static Answer healthOr(Answer served, List<ResourceClaim> claims, ExplainedCluster cluster) {
        return cluster.unhealthy(claims)
                .map(text -> Answer.unhealthy(served.subject(), text + "; " + served.sentence()))
                .orElse(served);
    }

    private static Answer served(Pod pod, int devices) {
        String since = PodState.scheduled(pod)
                .filter(condition -> "True".equals(condition.getStatus()))
                .map(BoundPods::since)
                .orElse("");
        String phase = pod.getStatus() == null ? "" : " (" + pod.getStatus().getPhase() + ")";
        String has = switch (devices) {
            case 0 -> "no devices";
            case 1 -> "1 device";
            default -> devices + " devices";
        };
        return Answer.of(
                Subject.of(pod),
                State.SERVED,
                Code.Bound,
                "it is on node %s%s%s and has %s".formatted(pod.getSpec().getNodeName(), since, phase, has));
    }

    private static String since(PodCondition condition) {
        return condition.getLastTransitionTime() == null ? "" : " since " + condition.getLastTransitionTime();
    }
}
