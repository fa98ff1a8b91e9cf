package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.explain.finding.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Finds requests and alternatives of requests that can never be satisfied on a node. For example, a request for more devices than the node
 * has also lacks the devices that are currently in use, but is not waiting for them.
 */
final class EverlastingFindings {

    private final HypotheticalState unoccupied;
    private final Map<String, NodeInfo> nodes;
    private final KnownFindings known;
    private final ExplanationBudget budget = new ExplanationBudget(ExplanationBudget.REMEDY);

    /** @param known the findings for the same claims */
    EverlastingFindings(HypotheticalState state, List<NodeInfo> nodes, KnownFindings known) {
        unoccupied = state.unoccupied();
        this.nodes = nodes.stream().collect(Collectors.toMap(NodeInfo::name, Function.identity(), (one, same) -> one));
        this.known = known;
    }

    /**
     * The findings, where those about requests that can never be satisfied are replaced by the reason for that. If time runs out, the last
     * findings are not replaced.
     */
    List<Finding> toldIn(List<Finding> findings) {
        var told = new ArrayList<>(findings);
        try {
            for (int i = 0; i < told.size() && !budget.isSpent(); i++) {
                told.set(i, told(told.get(i)));
            }
        } catch (EvaluationInterrupted e) {
            // The others are reported as they are at the moment.
            return told;
        }
        return told;
    }

    private Finding told(Finding present) {
        NodeInfo node = nodes.get(present.node());
        if (present.isEverlasting() || node == null || !isWorthTrying(present)) {
            return present;
        }
        List<Finding> found = known.inspectUnoccupied(present, unoccupied, node, budget);
        return budget.isSpent() || found.isEmpty() || !NeverFits.isForEver(found.get(0))
                ? present
                : found.get(0).everlasting();
    }

    /** There may be very many nodes, so a request without alternatives is tried only on nodes where some devices match it, but too few. */
    private static boolean isWorthTrying(Finding present) {
        int matching = present.considered() - present.notMatching();
        return present.isAlternative() || (matching > 0 && matching < present.wanted());
    }
}
