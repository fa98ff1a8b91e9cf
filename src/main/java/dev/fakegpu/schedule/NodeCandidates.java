package dev.fakegpu.schedule;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.NodeSelectors;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The nodes that a pod could go to, before any device is looked at, and why not to the others. */
final class NodeCandidates {

    private final List<Node> fitting = new ArrayList<>();
    private final Map<String, Integer> problems = new TreeMap<>();
    private final int total;

    NodeCandidates(List<Node> nodes, Pod pod, List<ResourceClaim> claims) {
        total = nodes.size();
        for (Node node : nodes) {
            NodeFit.problem(node, pod)
                    .or(() -> unreachableClaim(node, claims))
                    .ifPresentOrElse(problem -> problems.merge(problem, 1, Integer::sum), () -> fitting.add(node));
        }
    }

    List<Node> fitting() {
        return fitting;
    }

    /** In kube-scheduler's words, without what comes after for the nodes that fit. */
    String summary() {
        var reasons = problems.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        var end = fitting.isEmpty()
                ? (reasons.isEmpty() ? "." : ": " + reasons + ".")
                : ": " + (reasons.isEmpty() ? "" : reasons + "; ");
        return "0/%s nodes are available%s".formatted(total, end);
    }

    private static Optional<String> unreachableClaim(Node node, List<ResourceClaim> claims) {
        return claims.stream()
                .filter(Allocations::isAllocated)
                .map(claim -> claim.getStatus().getAllocation().getNodeSelector())
                .filter(selector -> selector != null
                        && !NodeSelectors.read(selector)
                                .matches(node.getMetadata().getName(), CompanionView.labels(node)))
                .findAny()
                .map(selector -> "node(s) cannot use an allocated ResourceClaim of the pod");
    }
}
