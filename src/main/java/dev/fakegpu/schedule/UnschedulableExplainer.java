package dev.fakegpu.schedule;

import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.schedule.fit.NodeCandidates;
import dev.fakegpu.schedule.fit.NodeFit;
import dev.fakegpu.schedule.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;

/**
 * Works out why a pod or claim is unschedulable: how many nodes are filtered out and why, as kube-scheduler words it, then which devices
 * are missing on the others. Not thread-safe.
 */
final class UnschedulableExplainer {

    private final SchedulerCache cache;
    private final CompanionScope scope;
    private final NodeSearch nodeSearch;

    UnschedulableExplainer(SchedulerCache cache, CompanionScope scope, NodeSearch nodeSearch) {
        this.cache = cache;
        this.scope = scope;
        this.nodeSearch = nodeSearch;
    }

    /** Empty if the pod or claim is no longer pending. */
    Optional<String> explain(QueueItem item) {
        return switch (item.kind()) {
            case POD -> scope.pendingPod(item).map(this::explain);
            case CLAIM -> scope.pendingClaim(item).map(this::explain);
        };
    }

    private String explain(ResourceClaim claim) {
        var nodes = cache.nodes().stream()
                .filter(node -> NodeFit.problem(node.stored(), null).isEmpty())
                .toList();
        return CompanionMessages.notAllocated(nodeSearch.explain(nodes, node -> List.of(ClaimReader.read(claim))));
    }

    private String explain(Pod pod) {
        var requirements = new PodRequirements(pod, scope.claims(pod), cache);
        if (PodState.isBound(pod)) {
            String name = pod.getSpec().getNodeName();
            String explanation = cache.node(name)
                    .map(node -> nodeSearch
                            .explain(List.of(node), requirements::claims)
                            .sentence())
                    .orElseGet(CompanionMessages::noSuchNode);
            return CompanionMessages.notOnItsNode(name, explanation);
        }
        var candidates = new NodeCandidates(cache.nodes(), requirements.fit());
        return candidates.fitting().isEmpty()
                ? candidates.summary()
                : candidates.summary()
                        + nodeSearch
                                .explain(candidates.fitting(), requirements::claims)
                                .sentence();
    }
}
