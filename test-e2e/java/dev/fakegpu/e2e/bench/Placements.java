package dev.fakegpu.e2e.bench;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestAllocationResult;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Describes which pods are on which nodes with which devices, with equal texts for a real cluster and for one in memory. */
final class Placements {

    /** The state of a pod without a decision. */
    static final String UNDECIDED = "undecided";

    private static final String WAITS = "waits";

    private Placements() {}

    /**
     * The states by pod, by workload for its pods, whose names are random, and by claim for claims that outlive pods.
     *
     * @param isWaiting whether the scheduler has refused a pod without a node
     */
    static Map<String, List<String>> of(List<Pod> pods, List<ResourceClaim> claims, boolean isWaiting) {
        var states = new TreeMap<String, List<String>>();
        for (Pod pod : pods) {
            if (!PodState.hasEnded(pod)) {
                states.computeIfAbsent(key(pod), ignored -> new ArrayList<>()).add(state(pod, claims, isWaiting));
            }
        }
        states.values().forEach(Collections::sort);
        for (ResourceClaim claim : claims) {
            boolean isOwned = !claim.getMetadata().getOwnerReferences().isEmpty();
            String key =
                    isOwned ? "claims of pods" : "claim " + claim.getMetadata().getName();
            states.computeIfAbsent(key, ignored -> new ArrayList<>()).add(isOwned ? "1" : used(claim));
        }
        return states;
    }

    /** The label {@code app} of a workload's pod, or the pod's name. */
    static String key(Pod pod) {
        boolean isOwned = pod.getMetadata().getOwnerReferences().stream().anyMatch(OwnerReference::getController);
        return isOwned
                ? "workload " + pod.getMetadata().getLabels().get("app")
                : "pod " + pod.getMetadata().getName();
    }

    private static String state(Pod pod, List<ResourceClaim> claims, boolean isWaiting) {
        if (PodState.isBound(pod)) {
            return pod.getSpec().getNodeName() + devices(pod, claims);
        }
        boolean isRefused = isWaiting
                || PodState.scheduled(pod)
                        .filter(condition -> "False".equals(condition.getStatus()))
                        .isPresent();
        return isRefused ? WAITS : UNDECIDED;
    }

    private static String devices(Pod pod, List<ResourceClaim> claims) {
        var text = new StringBuilder();
        for (ResourceClaim claim : claims) {
            if (PodClaims.isReservedFor(claim, pod)) {
                text.append(' ').append(devices(claim));
            }
        }
        return text.toString();
    }

    private static String used(ResourceClaim claim) {
        int users = claim.getStatus() == null
                ? 0
                : claim.getStatus().getReservedFor().size();
        return devices(claim) + " for " + users;
    }

    private static String devices(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .map(Placements::device)
                .toList()
                .toString();
    }

    private static String device(DeviceRequestAllocationResult result) {
        var consumed = new TreeMap<String, String>();
        Objects.requireNonNullElse(
                        result.getConsumedCapacity(), Map.<String, io.fabric8.kubernetes.api.model.Quantity>of())
                .forEach((name, amount) -> consumed.put(name, amount.toString()));
        return result.getRequest() + "=" + result.getPool() + "/" + result.getDevice()
                + (consumed.isEmpty() ? "" : consumed);
    }
}
