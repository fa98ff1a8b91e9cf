package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Reason;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides whether claims can never fit on nodes, whatever is released: they do not fit even if nothing is allocated and every taint is
 * tolerated. The answer is no if something besides the claims and the hardware could change, such as an incomplete pool or a disabled
 * feature.
 */
final class NeverFits {

    private static final Set<Reason> LASTING = EnumSet.of(
            Reason.TooManyDevices,
            Reason.ConstraintNotMet,
            Reason.DevicesIncompatible,
            Reason.CountersExhausted,
            Reason.CapacityExhausted,
            Reason.DevicesInUse,
            Reason.CapacityNotOffered,
            Reason.NotReached,
            Reason.NoMatchingDevice,
            Reason.NoDevices);

    private final HypotheticalState unoccupied;
    private final List<NodeInfo> nodes;
    private final KnownFindings known;
    private final ExplanationBudget budget = new ExplanationBudget(ExplanationBudget.REMEDY);

    /** @param known the findings for the same claims */
    NeverFits(HypotheticalState state, List<NodeInfo> nodes, KnownFindings known) {
        unoccupied = state.unoccupied();
        this.nodes = nodes;
        this.known = known;
    }

    /**
     * The reasons why the claims never fit, for each node that has devices, with the most informative reason first. Empty if the claims
     * could fit on some node, or if that is not known.
     *
     * @param mostLikely the node on which the claims are most likely to fit; it is tried first
     */
    List<Finding> findings(String mostLikely) {
        var findings = new ArrayList<Finding>();
        List<NodeInfo> inOrder = Stream.concat(
                        nodes.stream().filter(node -> node.name().equals(mostLikely)),
                        nodes.stream().filter(node -> !node.name().equals(mostLikely)))
                .toList();
        for (NodeInfo node : inOrder) {
            List<Finding> ofNode = known.inspectUnoccupied(unoccupied, node, budget);
            if (budget.isSpent()) {
                return List.of();
            }
            if (isForEver(ofNode)) {
                findings.addAll(ofNode);
            } else if (ofNode.isEmpty() || !ofNode.stream().allMatch(NeverFits::isWithoutDevices)) {
                return List.of();
            }
        }
        return Finding.mostInformativeFirst(findings).stream()
                .map(Finding::everlasting)
                .toList();
    }

    /** Whether the node has no devices. It may get some, so this can change, but nothing can be released on it. */
    private static boolean isWithoutDevices(Finding ofUnoccupied) {
        return ofUnoccupied.considered() == 0
                && ofUnoccupied.problem() == null
                && ofUnoccupied.knowsPools()
                && ofUnoccupied.reason() == Reason.NoDevices;
    }

    /** Whether no alternative of some request can ever be satisfied. */
    private static boolean isForEver(List<Finding> ofNode) {
        return ofNode.stream().collect(Collectors.groupingBy(Finding::requestRef)).values().stream()
                .anyMatch(alternatives -> alternatives.stream().allMatch(NeverFits::isForEver));
    }

    /** @param finding the finding if nothing is allocated and every taint is tolerated */
    static boolean isForEver(Finding finding) {
        return finding.considered() > 0
                && finding.isExhaustive()
                && finding.pools().isEmpty()
                && LASTING.contains(finding.reason())
                && finding.stopped().stream().allMatch(stopped -> LASTING.contains(stopped.reason()));
    }
}
