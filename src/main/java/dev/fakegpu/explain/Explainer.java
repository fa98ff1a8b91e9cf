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
 * Explains why claims cannot be allocated. It asks the allocator again, in parts and without some of the holders, so it is for use
 * after a failure, not on the way to an allocation. What it asks is bounded, so that it takes no more than some tens of
 * milliseconds where an allocator would search for long.
 */
public final class Explainer {

    private final HypotheticalState world;

    /** For a state that is looked at once. */
    public Explainer(ClusterState state, Selectors selectors, AllocatorOptions options) {
        this(
                new SliceIndex(state.slices(), options),
                state.classes(),
                new AllocatedDevices(state.allocated(), options.groupPolicy()),
                selectors,
                options);
    }

    /**
     * With what an allocator has found out already.
     *
     * @param slices made with the same options
     */
    public Explainer(
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            AllocatedDevices holdings,
            Selectors selectors,
            AllocatorOptions options) {
        world = new HypotheticalState(slices, classes, holdings, selectors, options);
    }

    /**
     * Explains why none of the nodes can serve the claims.
     *
     * @param nodes those that were tried
     * @param claims those of a pod that have no allocation yet
     */
    public Explanation explain(List<NodeInfo> nodes, List<Claim> claims) {
        return world.inspector()
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
            if (world.inspector().inspect(node, List.of()) instanceof DiagnosisResult.Faulty unreadable) {
                RequestError fault = unreadable.fault();
                return general(Reason.of(fault), Phrases.fault(fault));
            }
            List<Finding> ofNode = new NodeExplainer(world, node, world.devices(node), budget).inspect(claims);
            if (ofNode.isEmpty()) {
                return general(Reason.Allocatable, "nothing is in the way on " + node.name());
            }
            findings.addAll(ofNode);
            if (budget.isSpent()) {
                break;
            }
        }
        return findings.isEmpty()
                ? general(Reason.NoDevices, "there is no node to take devices from")
                : explain(nodes, claims, findings);
    }

    private Explanation explain(List<NodeInfo> nodes, List<Claim> claims, List<Finding> findings) {
        findings.sort(Comparator.comparing(Finding::reason).thenComparing(Finding::missing));
        Finding chosen = findings.get(0);
        NodeInfo node = nodes.stream()
                .filter(each -> each.name().equals(chosen.node()))
                .findFirst()
                .orElseThrow();
        Remedy wayOut = new RemedyFinder(
                        world, node, claims, chosen.considered(), new ExplanationBudget(ExplanationBudget.WAY_OUT))
                .find(chosen)
                .orElse(null);
        String sentence = new Sentence(nodes.size(), claims.size()).write(chosen, findings, wayOut);
        boolean isTogether = !chosen.alongside().isEmpty() && chosen.problem() == null;
        return new Explanation(isTogether ? Reason.NotTogether : chosen.reason(), sentence, findings, wayOut);
    }
}
