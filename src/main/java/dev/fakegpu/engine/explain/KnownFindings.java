package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Findings about the nodes on which certain claims cannot be allocated. An {@link Explainer} that gets them inspects only nodes that have
 * changed since, and continues where an earlier one was interrupted. Its sentences are the same as without them; tables and
 * {@link Finding.Stopped#everyWay} may have fewer examples. Not thread-safe.
 */
public final class KnownFindings {

    /** Remedies are tried for only a few findings, and those of earlier explanations are not needed for long. */
    private static final int MAX_REMEDIES = 64;

    private final KnownOfNodes<String, List<Finding>> present = new KnownOfNodes<>(KnownFindings::dependOnOthers);
    private final KnownOfNodes<String, List<Finding>> unoccupied = new KnownOfNodes<>(KnownFindings::dependOnOthers);
    private final KnownOfNodes<Alternative, List<Finding>> alternatives =
            new KnownOfNodes<>(KnownFindings::dependOnOthers);
    private final KnownOfNodes<Finding, Optional<RemedyFinder.Found>> remedies = new KnownOfNodes<>(found -> false);
    private List<Claim> claims = List.of();
    private Map<String, DeviceClass> classes = Map.of();
    private List<Object> options = List.of();
    private Set<ClaimRef> kept = Set.of();

    /**
     * An alternative of a request.
     *
     * @param position the index of the request
     * @param isAlone whether the requests before it are omitted
     */
    private record Alternative(String node, int position, String name, boolean isAlone) {}

    /** The number of findings that are remembered. */
    public int size() {
        return Stream.of(present, unoccupied, alternatives)
                .flatMap(KnownOfNodes::results)
                .mapToInt(List::size)
                .sum();
    }

    /** A key that is equal for claims with the same findings: for a single claim its requests and constraints, whatever its name. */
    static List<Object> scope(List<Claim> claims) {
        return claims.size() == 1
                ? List.of(claims.get(0).requests(), claims.get(0).constraints())
                : List.copyOf(claims);
    }

    /** Removes entries that do not apply to an explanation. If it is about other claims, classes or options, these are all entries. */
    @SuppressWarnings("ReferenceEquality") // a different map has other classes
    void begin(HypotheticalState state, List<NodeInfo> nodes, List<Claim> explained) {
        AllocationContext context = state.context();
        List<Object> relevant = relevant(context.options());
        if (classes != context.classes()
                || !options.equals(relevant)
                || !scope(claims).equals(scope(explained))) {
            classes = context.classes();
            options = relevant;
            Stream.of(present, unoccupied, alternatives, remedies).forEach(KnownOfNodes::clear);
        } else if (!claims.equals(explained)) {
            tellAbout(explained.get(0).ref());
        }
        claims = explained;
        if (Math.max(present.size(), unoccupied.size()) > nodes.size()) {
            var names = nodes.stream().map(NodeInfo::name).collect(Collectors.toSet());
            Stream.of(present, unoccupied).forEach(known -> known.keepOnly(names));
        }
        if (remedies.size() > MAX_REMEDIES || !kept.equals(state.kept())) {
            remedies.clear();
        }
        kept = state.kept();
        if (alternatives.size() > (long) nodes.size() * alternativesOf(explained)) {
            alternatives.clear();
        }
    }

    private static long alternativesOf(List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.requests().stream())
                .mapToLong(request -> request.firstAvailable().size())
                .sum();
    }

    /** Removes entries whose text may name the claim. */
    private void tellAbout(ClaimRef claim) {
        remedies.clear();
        alternatives.clear();
        Stream.of(present, unoccupied)
                .forEach(known -> known.change(findings -> findings.stream().anyMatch(KnownFindings::mayNameClaim)
                        ? Optional.empty()
                        : Optional.of(findings.stream()
                                .map(finding -> finding.about(claim))
                                .toList())));
    }

    private static boolean mayNameClaim(Finding finding) {
        return finding.problem() != null
                || finding.stopped().stream()
                        .anyMatch(stopped -> stopped.reason().compareTo(Reason.Failed) <= 0)
                || finding.stopped().stream()
                        .flatMap(stopped -> stopped.everyWay().stream())
                        .flatMap(way -> way.refusal().blockers().list().stream())
                        .anyMatch(blocker -> !blocker.isOther());
    }

    /** The relevant options. Share IDs do not affect explanations. */
    private static List<Object> relevant(AllocatorOptions options) {
        return List.of(options.features(), options.gate(), options.groupPolicy(), options.tolerations());
    }

    /** Devices of other allocators are named if nothing else stops a request; see {@link NodeExplainer}. */
    private static boolean dependOnOthers(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.stopped().isEmpty());
    }

    /** The known findings about what currently stops the claims on a node; empty if they are not known. */
    Optional<List<Finding>> present(HypotheticalState state, NodeInfo node, ExplanationBudget budget) {
        return present.get(node.name(), state, node, budget);
    }

    /** Finds out what currently stops the claims on a node; empty if nothing does. */
    List<Finding> inspect(HypotheticalState state, NodeInfo node, ExplanationBudget budget) {
        return inspect(present, state, node, budget);
    }

    /**
     * What stops the claims on a node if nothing is allocated.
     *
     * @param unoccupied the state without the changes of slices that follow when devices are released
     */
    List<Finding> inspectUnoccupied(HypotheticalState unoccupied, NodeInfo node, ExplanationBudget budget) {
        // An entry exists only if no changes followed, and then there are none as long as the slices are the same.
        return this.unoccupied
                .get(node.name(), unoccupied, node, budget)
                .orElseGet(() -> inspect(this.unoccupied, unoccupied.withPendingChanges(node), node, budget));
    }

    /**
     * What stops an alternative of a request on a node if nothing is allocated, as if the request had no other alternatives; empty if
     * nothing does.
     *
     * @param alternative the finding about what currently stops it
     * @param unoccupied the state without the changes of slices that follow when devices are released
     */
    List<Finding> inspectUnoccupied(
            Finding alternative, HypotheticalState unoccupied, NodeInfo node, ExplanationBudget budget) {
        boolean isAlone = alternative.alongside().isEmpty();
        var key = new Alternative(
                node.name(), alternative.position(), alternative.request().name(), isAlone);
        return alternatives.get(key, unoccupied, node, budget).orElseGet(() -> {
            HypotheticalState changed = unoccupied.withPendingChanges(node);
            return alternatives.workOut(
                    key, changed, node, budget, () -> only(alternative, changed, node, budget), KnownFindings::brief);
        });
    }

    private List<Finding> only(Finding alternative, HypotheticalState state, NodeInfo node, ExplanationBudget budget) {
        List<ExplainedRequest> requests = ExplainedRequest.of(claims);
        ExactRequest option = alternative.request();
        return new NodeExplainer(state, node, state.devices(node), budget)
                .inspect(
                        alternative.alongside().isEmpty() ? List.of() : requests.subList(0, alternative.position()),
                        requests.get(alternative.position()).only(option, option.count()));
    }

    private List<Finding> inspect(
            KnownOfNodes<String, List<Finding>> known,
            HypotheticalState state,
            NodeInfo node,
            ExplanationBudget budget) {
        return known.workOut(
                node.name(),
                state,
                node,
                budget,
                () -> new NodeExplainer(state, node, state.devices(node), budget).inspect(claims),
                KnownFindings::brief);
    }

    private static List<Finding> brief(List<Finding> findings) {
        return findings.stream().map(Finding::brief).toList();
    }

    /** @param search searches for a remedy on the finding's node */
    Optional<RemedyFinder.Found> remedy(
            Finding finding,
            HypotheticalState state,
            NodeInfo node,
            ExplanationBudget budget,
            Supplier<Optional<RemedyFinder.Found>> search) {
        if (state.hasPendingChanges(node)) { // remedies then also depend on what drivers would publish
            return search.get();
        }
        Finding brief = finding.brief();
        return remedies.get(brief, state, node, budget)
                .orElseGet(() -> remedies.workOut(brief, state, node, budget, search, found -> found));
    }
}
