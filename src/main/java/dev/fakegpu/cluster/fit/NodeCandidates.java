package dev.fakegpu.cluster.fit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The nodes that fit a pod before any device is considered, and the reasons why the others do not. */
public final class NodeCandidates {

    private final List<SchedulableNode> fitting = new ArrayList<>();
    private final Map<String, Integer> problems = new HashMap<>();
    private final Map<String, Shortage> least = new HashMap<>();
    private final PodFit fit;
    private final int total;

    public NodeCandidates(Collection<SchedulableNode> nodes, PodFit fit) {
        this(fit, nodes.size());
        for (SchedulableNode node : nodes) {
            add(node, fit.problems(node), () -> fit.shortages(node));
        }
    }

    /** Candidates that fit, whatever their resources, because the pod is already there. */
    public static NodeCandidates fitting(List<SchedulableNode> nodes, PodFit fit) {
        var candidates = new NodeCandidates(fit, nodes.size());
        candidates.fitting.addAll(nodes);
        return candidates;
    }

    private NodeCandidates(PodFit fit, int total) {
        this.fit = fit;
        this.total = total;
    }

    private void add(SchedulableNode node, List<String> ofNode, Supplier<List<Shortage>> shortages) {
        ofNode.forEach(problem -> problems.merge(problem, 1, Integer::sum));
        if (ofNode.isEmpty()) {
            fitting.add(node);
        } else {
            shortages.get().forEach(shortage -> least.merge(shortage.message(), shortage, Shortage::less));
        }
    }

    /**
     * Returns the candidates after devices were found, without nodes that have too little for what the devices take.
     *
     * @param footprints what the devices take of a node; nothing on nodes without devices
     */
    public NodeCandidates withDevices(Function<SchedulableNode, DeviceFootprint> footprints) {
        var with = new NodeCandidates(fit, total);
        with.problems.putAll(problems);
        with.least.putAll(least);
        for (SchedulableNode node : fitting) {
            DeviceFootprint footprint = footprints.apply(node);
            with.add(
                    node,
                    fit.withDevices().problems(node, footprint),
                    () -> fit.withDevices().shortages(node, footprint));
        }
        return with;
    }

    public List<SchedulableNode> fitting() {
        return fitting;
    }

    PodFit fit() {
        return fit;
    }

    /** How many nodes do not fit; empty if all do. */
    String unfit() {
        int unfit = total - fitting.size();
        return unfit == 0 ? "" : FitMessages.someDoNotFit(unfit, total);
    }

    /** The message if no node fits, which begins like kube-scheduler's. Upstream: {@code FitError} in {@code framework/types.go}. */
    public String noneFits() {
        return total == 0 ? FitMessages.noNodes() : FitMessages.noNodesAvailable(total, reasons());
    }

    /**
     * The reasons why nodes do not fit, each with the number of nodes. A node that lacks several resources is counted once for each. As
     * upstream, the reasons are sorted together with their numbers, as text. Amounts are added to them.
     */
    String reasons() {
        return problems.entrySet().stream().map(this::reason).sorted().collect(Collectors.joining(", "));
    }

    /** The most frequent of {@link #reasons}, and whether there are others. */
    String mainReason() {
        return problems.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(
                                Map.Entry.<String, Integer>comparingByKey().reversed()))
                .map(entry -> reason(entry) + (problems.size() > 1 ? ", …" : ""))
                .orElse("");
    }

    private String reason(Map.Entry<String, Integer> problem) {
        return problem.getValue() + " " + problem.getKey() + amounts(problem.getKey(), problem.getValue());
    }

    private String amounts(String problem, int nodes) {
        Shortage shortage = least.get(problem);
        return shortage == null ? "" : " (" + shortage.amounts(fit.overhead(shortage.resource()), nodes) + ")";
    }
}
