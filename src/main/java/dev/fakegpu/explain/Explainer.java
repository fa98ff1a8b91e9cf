package dev.fakegpu.explain;

import dev.fakegpu.allocate.AllocationContext;
import dev.fakegpu.allocate.DiagnosisResult;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.RequestError;
import dev.fakegpu.allocate.SearchLimit;
import dev.fakegpu.cel.EvaluationInterrupted;
import dev.fakegpu.dra.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Explains why claims cannot be allocated. It runs the allocator again for parts of the claims, and as if some devices had been released,
 * so it is only for use after a failure. Its work is bounded ({@link ExplanationBudget}): it takes at most some tens of milliseconds plus
 * the evaluation of selectors, even if an allocator would search for a long time.
 */
public final class Explainer {

    private final HypotheticalState state;

    public Explainer(AllocationContext context) {
        this(context, SearchLimit.none());
    }

    /**
     * @param deadline ends explanations that take too long: {@link ExplanationBudget} bounds how many devices are examined, but not how long
     *     a selector takes on one of them
     */
    public Explainer(AllocationContext context, SearchLimit deadline) {
        state = new HypotheticalState(context, deadline);
    }

    /**
     * Explains why the claims cannot be allocated on any of the nodes.
     *
     * @param nodes the nodes that were tried
     * @param claims the claims of a pod, without those that are already allocated
     */
    public Explanation explain(List<NodeInfo> nodes, List<Claim> claims) {
        try {
            return explained(nodes, claims);
        } catch (EvaluationInterrupted e) {
            return Explanation.general(Reason.Undecided, Phrases.tooSlow());
        }
    }

    private Explanation explained(List<NodeInfo> nodes, List<Claim> claims) {
        return state.diagnoser()
                .error(claims)
                .map(error -> Explanation.general(Reason.of(error), Phrases.fault(error)))
                .orElseGet(() -> explainNodes(nodes, claims));
    }

    private Explanation explainNodes(List<NodeInfo> nodes, List<Claim> claims) {
        var budget = new ExplanationBudget(ExplanationBudget.FINDINGS);
        var findings = new ArrayList<Finding>();
        for (NodeInfo node : nodes) {
            if (state.diagnoser().diagnose(node, List.of()) instanceof DiagnosisResult.Invalid unreadable) {
                RequestError error = unreadable.error();
                return Explanation.general(Reason.of(error), Phrases.fault(error));
            }
            List<Finding> ofNode = new NodeExplainer(state, node, state.devices(node), budget).inspect(claims);
            if (ofNode.isEmpty()) {
                return Explanation.general(Reason.Allocatable, Phrases.allocatable(node.name()));
            }
            findings.addAll(ofNode);
            if (budget.isSpent()) {
                break;
            }
        }
        return findings.isEmpty()
                ? Explanation.general(Reason.NoDevices, Phrases.noNode())
                : explain(nodes, claims, findings);
    }

    private Explanation explain(List<NodeInfo> nodes, List<Claim> claims, List<Finding> findings) {
        findings.sort(Comparator.comparing(Finding::reason).thenComparing(Finding::missing));
        Finding chosen = findings.get(0);
        NodeInfo node = nodes.stream()
                .filter(each -> each.name().equals(chosen.node()))
                .findFirst()
                .orElseThrow();
        Remedy remedy = new RemedyFinder(
                        state, node, claims, chosen.considered(), new ExplanationBudget(ExplanationBudget.REMEDY))
                .find(chosen)
                .orElse(null);
        boolean isTogether = !chosen.alongside().isEmpty() && chosen.problem() == null;
        Reason reason = isTogether ? Reason.NotTogether : chosen.reason();
        return new Explanation(reason, null, findings, remedy, nodes.size(), claims.size());
    }
}
