package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.cluster.fit.BindingConditions;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.client.Refusals;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The sentences of the companion's events, conditions and annotations. Only two kinds of sentences are elsewhere: why a node is filtered
 * out ({@code fit.FitMessages}), and why devices cannot be allocated ({@code explain.Phrases}).
 */
public final class CompanionMessages {
    private CompanionMessages() {}

    // --- what was decided

    /** Event {@code Scheduled} of a pod. */
    static String scheduled(Pod pod, String node) {
        return "Successfully assigned %s/%s to %s"
                .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), node);
    }

    /** Event {@code Allocated} of a claim without a pod. */
    static String allocated(Allocation allocation) {
        return allocation.results().stream()
                .map(result -> "request \"%s\": %s of pool %s"
                        .formatted(
                                result.request(),
                                result.device().device(),
                                result.device().pool()))
                .collect(Collectors.joining("; "));
    }

    /** The end of a message about a decision with non-default settings; otherwise empty. */
    public static String settings(CompanionOptions options) {
        return options.gate() == GroupsGate.ON && options.groupPolicy() == GroupPolicy.SNAPSHOT
                ? ""
                : " (compatibility groups %s, group policy %s)"
                        .formatted(
                                CompanionOptions.title(options.gate()), CompanionOptions.title(options.groupPolicy()));
    }

    /** Event {@code FailedScheduling} of a pod or {@code NotAllocated} of a claim whose allocation cannot be stored. */
    static String refused(KubernetesClientException refusal) {
        return "the API server refuses to store the allocation, which is tried again: " + Refusals.message(refusal);
    }

    /** @param wait the time until the next try */
    public static String timedOut(Duration wait) {
        return "the API server did not store the allocation in time, which is tried again in %d s; nothing is held for it meanwhile"
                .formatted(wait.toSeconds());
    }

    // --- why a claim is not allocated, or a pod not scheduled

    /** The text for a search for a node that took too long. */
    public static String interrupted() {
        return "the search for devices takes too long; it is continued later, with the nodes that were not reached";
    }

    public static String notOnItsNode(String node, String explanation) {
        return "on node %s, where the pod is already: %s".formatted(node, explanation);
    }

    public static String noSuchNode() {
        return "there is no such node";
    }

    // --- why a pod is rejected before any node is considered

    public static String isUnreadable(String fields) {
        return "this version of the companion does not understand the object, and does nothing about it: " + fields;
    }

    public static String isUnreadable(ResourceClaim claim, String fields) {
        return "ResourceClaim \"%s\": %s".formatted(name(claim), isUnreadable(fields));
    }

    public static String leftoverIsBeingDeleted(ResourceClaim claim) {
        return "ResourceClaim \"%s\", left by an earlier attempt, is being deleted".formatted(name(claim));
    }

    public static String isUsedTwice(String claim) {
        return "the pod names ResourceClaim \"%s\" twice; kube-scheduler reserves it twice then, which the API server refuses; name it once"
                .formatted(claim);
    }

    public static String isBeingWritten(ResourceClaim claim) {
        return "ResourceClaim \"%s\" is being allocated or reserved for another pod at the moment"
                .formatted(name(claim));
    }

    // --- binding conditions

    /**
     * Event {@code BindingConditionsPending} of a pod.
     *
     * @param unmet devices and conditions
     * @param until the end of the attempt
     * @param failures of earlier attempts
     */
    public static String awaitsBindingConditions(
            List<String> unmet, Instant until, Optional<BindingFailures> failures) {
        return BindingConditions.awaited(Optional.of(until), unmet)
                + failures.map(known -> "; attempt %d failed: %s".formatted(known.attempts(), known.last()))
                        .orElse("");
    }

    public static String bindingTimedOut(ResourceClaim claim, Duration timeout) {
        return "device binding timeout: claim=%s, conditions not met within %d s"
                .formatted(name(claim), timeout.toSeconds());
    }

    private static String name(ResourceClaim claim) {
        return claim.getMetadata().getName();
    }
}
