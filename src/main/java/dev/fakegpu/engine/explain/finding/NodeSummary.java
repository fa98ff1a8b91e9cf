package dev.fakegpu.engine.explain.finding;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The findings of all nodes together.
 *
 * @param byNode the findings of each examined node, the most informative first
 * @param nodes the number of nodes that were tried
 */
record NodeSummary(Map<String, List<Finding>> byNode, int nodes) {

    static NodeSummary of(List<Finding> findings, int nodes) {
        return new NodeSummary(
                findings.stream()
                        .collect(Collectors.groupingBy(Finding::node, LinkedHashMap::new, Collectors.toList())),
                nodes);
    }

    /** Whether a request fails on every node, so that a sentence about it applies to all nodes. */
    boolean failsEverywhere(RequestRef request) {
        return byNode.values().stream()
                .allMatch(findings -> findings.stream()
                        .anyMatch(finding -> finding.requestRef().equals(request)));
    }

    /** Whether each request could be satisfied on some node, but no node satisfies all of them. */
    boolean isSpreadOverNodes() {
        if (byNode.size() < nodes
                || findings().anyMatch(finding -> !finding.alongside().isEmpty())) {
            return false;
        }
        Set<RequestRef> everywhere = new HashSet<>();
        findings().map(Finding::requestRef).forEach(everywhere::add);
        everywhere.removeIf(request -> !failsEverywhere(request));
        return everywhere.isEmpty();
    }

    private Stream<Finding> findings() {
        return byNode.values().stream().flatMap(List::stream);
    }

    /** The number of nodes that were not examined because there are too many. */
    int unexamined() {
        return nodes - byNode.size();
    }
}
