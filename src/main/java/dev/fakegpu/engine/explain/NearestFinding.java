package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.finding.Alignment;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.explain.finding.Remedy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses the finding to report: the first one for which there is a remedy, or else the most informative one. */
final class NearestFinding {

    private static final int MAX_TRIED = 8;

    private final HypotheticalState state;
    private final Map<String, NodeInfo> nodes;
    private final List<Claim> claims;
    private final KnownFindings known;
    private final ExplanationBudget budget = new ExplanationBudget(ExplanationBudget.REMEDY);

    /** @param known the findings for the same claims */
    NearestFinding(HypotheticalState state, List<NodeInfo> nodes, List<Claim> claims, KnownFindings known) {
        this.state = state;
        this.nodes = nodes.stream().collect(Collectors.toMap(NodeInfo::name, node -> node, (one, same) -> one));
        this.claims = claims;
        this.known = known;
    }

    /** @param remedy the remedy on the finding's node; null if there is none */
    record Nearest(Finding finding, @Nullable Remedy remedy) {}

    /** @param findings the findings, the most informative one first */
    Nearest among(List<Finding> findings) {
        List<Finding> candidates = candidates(findings);
        Nearest nearest = nearest(new Nearest(findings.get(0), null), candidates, findings);
        if (!(nearest.remedy() instanceof Remedy.AddDevices)) {
            return nearest;
        }
        // More devices are needed only if nothing else helps on any node, so all nodes must have been inspected.
        List<Finding> others = findings.stream()
                .filter(finding -> !candidates.contains(finding) && mayHaveRemedy(finding))
                .toList();
        Nearest nearer = nearest(nearest, others, findings);
        boolean isProved = !budget.isSpent()
                && findings.stream()
                        .map(Finding::node)
                        .collect(Collectors.toSet())
                        .containsAll(nodes.keySet());
        return !isProved && nearer.remedy() instanceof Remedy.AddDevices ? new Nearest(findings.get(0), null) : nearer;
    }

    /** @param nearest is returned if no candidate is nearer */
    private Nearest nearest(Nearest nearest, List<Finding> candidates, List<Finding> findings) {
        Nearest best = nearest;
        for (Finding candidate : candidates) {
            if (budget.isSpent()) {
                break;
            }
            var found = remedy(candidate, node(candidate));
            if (found.isPresent() && (best.remedy() == null || !isForMoreDevices(found.get()))) {
                best = new Nearest(
                        served(candidate, findings, found.get()), found.get().remedy());
                if (!isForMoreDevices(found.get())) {
                    break;
                }
            }
        }
        return best;
    }

    /** Whether anything but more devices may help. */
    private boolean mayHaveRemedy(Finding finding) {
        return !state.releasable(finding.blockers()).isEmpty()
                || !finding.taints().isEmpty()
                || !finding.pools().isEmpty()
                || state.hasPendingChanges(node(finding));
    }

    /** Whether only more devices help, so that another node may be nearer. */
    private static boolean isForMoreDevices(RemedyFinder.Found found) {
        return found.remedy() instanceof Remedy.AddDevices;
    }

    private Optional<RemedyFinder.Found> remedy(Finding finding, NodeInfo node) {
        return known.remedy(
                finding,
                state,
                node,
                budget,
                () -> new RemedyFinder(state.on(node), node, claims, finding.considered(), budget).find(finding));
    }

    /**
     * A kind of finding.
     *
     * @param couldAgree whether devices could agree on a value if others released theirs
     * @param isKept whether claims that no remedy releases are in the way
     */
    private record Kind(Reason reason, boolean couldAgree, boolean isKept) {}

    private Kind kind(Finding finding) {
        Alignment alignment = finding.alignment();
        return new Kind(
                finding.reason(),
                alignment != null && !alignment.serving().isEmpty(),
                finding.blockers().stream().anyMatch(state.kept()::contains));
    }

    /** The most informative finding, the other alternatives of its request, and the first finding of each other kind. */
    private List<Finding> candidates(List<Finding> findings) {
        Finding first = findings.get(0);
        Set<Kind> kinds = new HashSet<>(Set.of(kind(first)));
        var candidates = new ArrayList<>(List.of(first));
        findings.stream()
                .skip(1)
                .filter(finding -> isAlternativeOf(first, finding))
                .forEach(candidates::add);
        findings.stream()
                .skip(1)
                .filter(finding -> !finding.node().equals(first.node()) && kinds.add(kind(finding)))
                .forEach(candidates::add);
        return candidates.stream().limit(MAX_TRIED).toList();
    }

    private static boolean isAlternativeOf(Finding one, Finding other) {
        return one.isAlternative()
                && one.node().equals(other.node())
                && one.requestRef().equals(other.requestRef());
    }

    /** The alternative that the remedy makes possible, which may differ from the one for which the remedy was tried. */
    private Finding served(Finding tried, List<Finding> findings, RemedyFinder.Found found) {
        if (!tried.isAlternative()) {
            return tried;
        }
        int claim = claims.stream().map(Claim::ref).toList().indexOf(tried.claim());
        Set<String> requests = new HashSet<>();
        found.allocations().get(claim).results().forEach(result -> requests.add(result.request()));
        return findings.stream()
                .filter(finding -> isAlternativeOf(tried, finding) && requests.contains(finding.resultName()))
                .findFirst()
                .orElse(tried);
    }

    private NodeInfo node(Finding finding) {
        return Objects.requireNonNull(nodes.get(finding.node()));
    }
}
