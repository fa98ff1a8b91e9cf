package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.DiagnosisResult;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.RequestError;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.explain.finding.ContradictoryConstraints;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Phrases;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.explain.finding.Remedy;
import dev.fakegpu.util.NaturalOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains why claims cannot be allocated. It runs the allocator again for parts of the claims, and as if some devices had been released,
 * so it is for use only after a failure. Its work is bounded ({@link ExplanationBudget}): it takes at most a few dozen milliseconds plus
 * the evaluation of selectors, even if an allocator would search for a long time.
 */
public final class Explainer {

    private final HypotheticalState state;
    private final Supplier<KnownFindings> known;

    public Explainer(AllocationContext context) {
        this(context, SearchLimit.none());
    }

    /**
     * Creates an explainer.
     *
     * @param deadline ends explanations that take too long. {@link ExplanationBudget} limits the number of devices that are examined, but
     *     not the time that a selector takes on one of them
     */
    public Explainer(AllocationContext context, SearchLimit deadline) {
        this(context, deadline, PendingChanges.NONE, OtherDevices.NONE);
    }

    /**
     * Creates an explainer.
     *
     * @param pending the changes of slices that follow when devices are released
     * @param others devices that the context does not have
     */
    public Explainer(AllocationContext context, SearchLimit deadline, PendingChanges pending, OtherDevices others) {
        this(context, deadline, pending, others, KnownFindings::new);
    }

    /** @param known the findings of earlier explanations, to which this one adds its own */
    public Explainer(
            AllocationContext context,
            SearchLimit deadline,
            PendingChanges pending,
            OtherDevices others,
            KnownFindings known) {
        this(context, deadline, pending, others, () -> known);
    }

    private Explainer(
            AllocationContext context,
            SearchLimit deadline,
            PendingChanges pending,
            OtherDevices others,
            Supplier<KnownFindings> known) {
        this(new HypotheticalState(context, deadline, pending, others), known);
    }

    private Explainer(HypotheticalState state, Supplier<KnownFindings> known) {
        this.state = state;
        this.known = known;
    }

    /** An explainer that proposes to release none of these claims: those of the pod's own gang. */
    public Explainer keeping(Set<ClaimRef> claims) {
        return new Explainer(state.keeping(claims), known);
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
                .map(error -> Explanation.general(
                        Reason.of(error),
                        Phrases.fault(error, claims, state.context().classes().keySet())))
                .or(() -> ContradictoryConstraints.of(claims)
                        .map(found ->
                                Explanation.general(Reason.ConstraintNotMet, Phrases.contradictory(found, claims))))
                .orElseGet(() -> explainNodes(sorted(nodes), claims));
    }

    /** Sorts the nodes, so that the sentence does not depend on the order in which a cache returns them. */
    private static List<NodeInfo> sorted(List<NodeInfo> nodes) {
        return nodes.stream()
                .sorted(Comparator.comparing(NodeInfo::name, NaturalOrder.OF_NAMES))
                .toList();
    }

    private Explanation explainNodes(List<NodeInfo> nodes, List<Claim> claims) {
        KnownFindings ofClaims = known.get();
        ofClaims.begin(state, nodes, claims);
        var budget = new ExplanationBudget(ExplanationBudget.FINDINGS);
        var findings = new ArrayList<Finding>();
        for (NodeInfo node : nodes) {
            Optional<List<Finding>> ofThis = ofClaims.present(state, node, budget);
            if (ofThis.isEmpty()
                    && state.diagnoser().diagnose(node, List.of()) instanceof DiagnosisResult.Invalid unreadable) {
                RequestError error = unreadable.error();
                return Explanation.general(Reason.of(error), Phrases.fault(error, claims));
            }
            List<Finding> ofNode = ofThis.orElseGet(() -> ofClaims.inspect(state, node, budget));
            if (ofNode.isEmpty()) {
                return allocatable(node, nodes, claims, budget);
            }
            findings.addAll(ofNode);
            if (budget.isSpent()) {
                break;
            }
        }
        return findings.isEmpty()
                ? Explanation.general(Reason.NoDevices, Phrases.noNode())
                : explain(nodes, claims, findings, ofClaims);
    }

    /** An error on another node may have kept the scheduler from trying this one. */
    private Explanation allocatable(NodeInfo node, List<NodeInfo> nodes, List<Claim> claims, ExplanationBudget budget) {
        return nodes.stream()
                .filter(each -> each != node && !budget.isSpent())
                .flatMap(each -> stopsAllNodes(each, node, claims, budget).stream())
                .findFirst()
                .orElseGet(() -> Explanation.general(Reason.Allocatable, Phrases.allocatable(node.name())));
    }

    private Optional<Explanation> stopsAllNodes(
            NodeInfo failing, NodeInfo allocatable, List<Claim> claims, ExplanationBudget budget) {
        int devices = state.devices(failing);
        Outcome outcome = state.allocate(failing, claims, budget.search(devices, ExplainedRequest.devices(claims)));
        if (!outcome.isFatal()) {
            return Optional.empty();
        }
        List<Finding> findings = new NodeExplainer(state, failing, devices, budget).inspect(claims);
        if (findings.isEmpty()) {
            return Optional.empty();
        }
        Explanation error = explanation(findings, null, false, List.of(failing), claims);
        return Optional.of(Explanation.general(
                error.reason(),
                Phrases.stopsAllNodes(
                        failing.name(),
                        error.beginning(new NameScope(claims.get(0).ref().namespace())),
                        allocatable.name())));
    }

    private Explanation explain(
            List<NodeInfo> nodes, List<Claim> claims, List<Finding> unsorted, KnownFindings ofClaims) {
        List<Finding> findings = Finding.mostInformativeFirst(unsorted);
        var nearest = new NearestFinding(state, nodes, claims, ofClaims).among(findings);
        // If there are too many combinations to try, there are too many on empty hardware, too.
        if (nearest.remedy() == null && findings.get(0).isExhaustive()) {
            List<Finding> never = never(nodes, findings.get(0).node(), ofClaims);
            if (!never.isEmpty()) {
                return explanation(withOthers(never, findings, nodes, ofClaims), null, true, nodes, claims);
            }
        }
        List<Finding> told = told(nearest, findings, nodes, ofClaims);
        return explanation(told, nearest.remedy(), isNever(told, nodes), nodes, claims);
    }

    /** The findings to report: the nearest one first if there is a remedy, and those about requests that can never be satisfied last. */
    private List<Finding> told(
            NearestFinding.Nearest nearest, List<Finding> findings, List<NodeInfo> nodes, KnownFindings ofClaims) {
        var others = new ArrayList<>(findings);
        if (nearest.remedy() != null) {
            others.remove(nearest.finding());
        }
        var told = new ArrayList<>(withEverlasting(others, nodes, ofClaims));
        if (nearest.remedy() != null) {
            told.add(0, nearest.finding());
        }
        return told;
    }

    /**
     * Whether the claims never fit, although trying all requests at once takes too long: on each node, no alternative of some request can
     * ever be satisfied.
     */
    private static boolean isNever(List<Finding> told, List<NodeInfo> nodes) {
        return told.stream().allMatch(Finding::isEverlasting)
                && told.stream().map(Finding::node).distinct().count() == nodes.size();
    }

    /**
     * The reasons why the claims never fit, followed by what currently stops other requests on the same nodes, and by nodes without
     * devices.
     */
    private List<Finding> withOthers(
            List<Finding> never, List<Finding> present, List<NodeInfo> all, KnownFindings ofClaims) {
        Set<List<Object>> told = never.stream().map(Explainer::nodeAndRequest).collect(Collectors.toSet());
        List<Finding> others = present.stream()
                .filter(finding -> !told.contains(nodeAndRequest(finding)))
                .toList();
        return Stream.concat(never.stream(), withEverlasting(others, all, ofClaims).stream())
                .toList();
    }

    /** The findings, with those about requests that can never be satisfied last. */
    private List<Finding> withEverlasting(List<Finding> findings, List<NodeInfo> nodes, KnownFindings ofClaims) {
        return Finding.mostInformativeFirst(new EverlastingFindings(state, nodes, ofClaims).toldIn(findings));
    }

    private static List<Object> nodeAndRequest(Finding finding) {
        return List.of(finding.node(), finding.position());
    }

    /** The reasons why the claims never fit; empty if there is no time left, since the other findings are still useful. */
    private List<Finding> never(List<NodeInfo> nodes, String mostLikely, KnownFindings ofClaims) {
        try {
            return new NeverFits(state, nodes, ofClaims).findings(mostLikely);
        } catch (EvaluationInterrupted e) {
            return List.of();
        }
    }

    /** @param findings the most important finding first */
    private static Explanation explanation(
            List<Finding> findings,
            @Nullable Remedy remedy,
            boolean neverFits,
            List<NodeInfo> nodes,
            List<Claim> claims) {
        Finding first = findings.get(0);
        boolean isTogether = !first.alongside().isEmpty() && first.problem() == null;
        // Then hardware must be repaired, whatever else would help.
        boolean isUnhealthy = remedy instanceof Remedy.Recover
                || remedy instanceof Remedy.Release release
                        && !release.orRecover().isEmpty();
        Reason reason = isUnhealthy ? Reason.DevicesUnhealthy : isTogether ? Reason.NotTogether : first.reason();
        return new Explanation(reason, null, findings, remedy, neverFits, nodes.size(), claims.size());
    }
}
