package dev.fakegpu.schedule.fit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The nodes that a pod could go to, before any device is looked at, and why not to the others. */
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

    /** In kube-scheduler's words, without what comes after for the nodes that fit. */
    public String summary() {
        var reasons = problems.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        var end = fitting.isEmpty()
                ? (reasons.isEmpty() ? "." : ": " + reasons + ".")
                : ": " + (reasons.isEmpty() ? "" : reasons + "; ");
        return "0/%s nodes are available%s".formatted(total, end);
    }
}
