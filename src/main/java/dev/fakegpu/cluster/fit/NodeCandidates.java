package dev.fakegpu.cluster.fit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The nodes that fit a pod before any device is considered, and the reasons why the others do not. */
public final class NodeCandidates {

    private final List<SchedulableNode> fitting = new ArrayList<>();
    private final Map<String, Integer> problems = new TreeMap<>();
    private final int total;

    public NodeCandidates(Collection<SchedulableNode> nodes, PodFit fit) {
        total = nodes.size();
        for (SchedulableNode node : nodes) {
            fit.problem(node)
                    .ifPresentOrElse(problem -> problems.merge(problem, 1, Integer::sum), () -> fitting.add(node));
        }
    }

    public List<SchedulableNode> fitting() {
        return fitting;
    }

    /**
     * The start of kube-scheduler's message: the reasons of the nodes that do not fit. The message goes on with what is missing on the
     * others.
     */
    public String summary() {
        var reasons = problems.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        var end = fitting.isEmpty()
                ? (reasons.isEmpty() ? "." : ": " + reasons + ".")
                : ": " + (reasons.isEmpty() ? "" : reasons + "; ");
        return FitMessages.noNodesAvailable(total, end);
    }
}
