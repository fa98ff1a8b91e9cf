package dev.fakegpu.explain;

import dev.fakegpu.allocate.AllocatedDevices;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.DiagnosisResult;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.RequestError;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Explains why claims cannot be allocated. It runs the allocator again for parts of the claims, and as if some devices had been released, so
 * it is for use after a failure only. Its work is bounded ({@link ExplanationBudget}): it takes no more than some tens of milliseconds, even
 * where an allocator would search for long.
 */
public final class Explainer {

    private final HypotheticalState state;

    /** For a single use of a state. */
    public Explainer(ClusterState state, Selectors selectors, AllocatorOptions options) {
        this(
                new SliceIndex(state.slices(), options),
                state.classes(),
                new AllocatedDevices(state.allocated(), options.groupPolicy()),
                selectors,
                options);
    }

    /**
     * Shares what an allocator has worked out already.
     *
     * @param slices indexed with the same options
     */
    public Explainer(
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            AllocatedDevices allocatedDevices,
            Selectors selectors,
            AllocatorOptions options) {
        state = new HypotheticalState(slices, classes, allocatedDevices, selectors, options);
    }

    /**
     * Explains why none of the nodes can serve the claims.
     *
     * @param nodes those that were tried
     * @param claims of a pod, without those that are allocated already
     */
    public Explanation explain(List<NodeInfo> nodes, List<Claim> claims) {
        return state.diagnoser()
                .fault(claims)
                .map(fault -> general(Reason.of(fault), Phrases.fault(fault)))
                .orElseGet(() -> explainNodes(nodes, claims));
    }

    private static Explanation general(Reason reason, String sentence) {
        return new Explanation(reason, Sentence.bounded(sentence), List.of(), null);
    }

    private Explanation explainNodes(List<NodeInfo> nodes, List<Claim> claims) {
        var budget = new ExplanationBudget(ExplanationBudget.FINDINGS);
        var findings = new ArrayList<Finding>();
        for (NodeInfo node : nodes) {
            if (state.diagnoser().inspect(node, List.of()) instanceof DiagnosisResult.Faulty unreadable) {
                RequestError fault = unreadable.fault();
                return general(Reason.of(fault), Phrases.fault(fault));
            }
            List<Finding> ofNode = new NodeExplainer(state, node, state.devices(node), budget).inspect(claims);
            if (ofNode.isEmpty()) {
                return general(Reason.Allocatable, Phrases.allocatable(node.name()));
            }
            findings.addAll(ofNode);
            if (budget.isSpent()) {
                break;
            }
        }
        return findings.isEmpty() ? general(Reason.NoDevices, Phrases.noNode()) : explain(nodes, claims, findings);
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
        String sentence = new Sentence(nodes.size(), claims.size()).write(chosen, findings, remedy);
        boolean isTogether = !chosen.alongside().isEmpty() && chosen.problem() == null;
        return new Explanation(isTogether ? Reason.NotTogether : chosen.reason(), sentence, findings, remedy);
    }
}
