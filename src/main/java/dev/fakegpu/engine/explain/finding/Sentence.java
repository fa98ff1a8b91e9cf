package dev.fakegpu.engine.explain.finding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes findings as one sentence: what is refused, what is in the way, and what would help. As long as the sentence is short, the rest
 * follows. {@link FindingTable} has everything, {@link FindingText} has the texts for one finding, and {@link Phrases} has the parts.
 */
final class Sentence {

    private static final int MAX_OTHER_NODES = 2;

    private static final int MAX_OTHER_REQUESTS = 3;

    /** Up to this number, all nodes are named; otherwise they are also counted. */
    private static final int MAX_UNCOUNTED_NODES = 1 + MAX_OTHER_NODES;

    private final Explanation explanation;
    private final Finding chosen;
    private final NodeSummary summary;
    private final Phrases phrases;
    private final FindingText texts;
    private final int length;

    Sentence(Explanation explanation, NameScope reader, int length) {
        this.explanation = explanation;
        this.length = length;
        chosen = explanation.findings().get(0);
        summary = NodeSummary.of(explanation.findings(), explanation.nodes());
        phrases = Phrases.brief(explanation, reader);
        texts = new FindingText(explanation, phrases);
    }

    String write() {
        var text = new StringBuilder(beginning());
        clauses().forEach(clause -> append(text, "; " + clause));
        return text.toString();
    }

    /** The part that is always included. What would help is never shortened in favor of what is in the way. */
    String beginning() {
        String way = Phrases.shorten(wayOut().map(known -> "; " + known).orElse(""), length / 2);
        return Phrases.shorten(never() + start(), length - way.length()) + way;
    }

    private String never() {
        boolean isAboutAllNodes = !summary.failsEverywhere(chosen.requestRef());
        return explanation.neverFits() ? (isAboutAllNodes ? "never fits" : Phrases.neverFits(explanation)) + ": " : "";
    }

    /** Appends a clause, or omits it entirely if it does not fit. */
    private void append(StringBuilder text, String clause) {
        if (text.length() + clause.length() <= Math.min(length, Explanation.BRIEF)) {
            text.append(clause);
        }
    }

    private Optional<String> wayOut() {
        Remedy remedy = explanation.remedy();
        return remedy != null
                ? Optional.of(phrases.waysOut().of(remedy, chosen))
                : FindingText.failedSelector(chosen)
                        .flatMap(failed -> Phrases.rewritten(failed.message())
                                .map(rewritten ->
                                        FindingText.isOfClass(failed) ? "in the class, " + rewritten : rewritten));
    }

    /**
     * The sentence up to the first obstacle. If other requests fail on other nodes, each node is named before the request that fails on it.
     */
    private String start() {
        if (summary.nodes() == 1) {
            return texts.statement(chosen);
        }
        if (!summary.failsEverywhere(chosen.requestRef())) {
            return (summary.isSpreadOverNodes() ? "no node has devices for all requests: " : "no node fits: ")
                    + onNode(chosen)
                    + texts.statement(chosen);
        }
        if (FindingText.isPlainLack(chosen)) {
            return texts.statement(chosen);
        }
        if (summary.nodes() > MAX_UNCOUNTED_NODES
                && FindingText.isShort(chosen)) { // other nodes may have fewer, or none
            return "no node has " + chosen.wanted() + " devices for " + texts.name(chosen) + ": " + chosen.node()
                    + " has "
                    + chosen.found()
                    + (FindingText.isLack(chosen) ? "" : ", " + texts.obstacle(chosen));
        }
        String nodes = summary.nodes() > MAX_UNCOUNTED_NODES ? " on any of " + summary.nodes() + " nodes" : "";
        return texts.opening(chosen) + nodes + ": " + onNode(chosen) + texts.obstacle(chosen);
    }

    private String onNode(Finding finding) {
        return summary.nodes() > 1 ? "on " + finding.node() + ", " : "";
    }

    /** Whether the request can never be satisfied, although something else may help. */
    private boolean isNeverAmongOthers(Finding finding) {
        return finding.isEverlasting() && !explanation.neverFits();
    }

    /** Names the node if the request may fit on other nodes. */
    private String neverFits(Finding finding) {
        boolean isSoEverywhere = summary.unexamined() == 0
                && summary.byNode().values().stream()
                        .allMatch(findings -> findings.stream()
                                .filter(other -> other.requestRef().equals(finding.requestRef())
                                        && other.resultName().equals(finding.resultName()))
                                .findFirst()
                                .filter(Finding::isEverlasting)
                                .isPresent());
        return isSoEverywhere ? "never fits" : Phrases.neverFits(finding.node());
    }

    private String obstacleThere(Finding finding) {
        if (!isNeverAmongOthers(finding)) {
            return texts.obstacle(finding);
        }
        return "never fits: " + FindingText.someAnd(finding) + texts.obstacle(finding);
    }

    private List<String> clauses() {
        var clauses = new ArrayList<>(valuesThere());
        FindingText.failedSelector(chosen).ifPresent(failed -> clauses.add(FindingText.stopped(chosen, failed)));
        if (FindingText.isAboutPools(chosen)) {
            chosen.stopped().stream()
                    .filter(stopped -> stopped.reason() == Reason.NoMatchingDevice)
                    .forEach(stopped -> clauses.add(Phrases.notSelected(chosen, stopped, Optional.empty())));
        } else if (chosen.problem() == null) {
            addInvalidPool(clauses);
            texts.rest(chosen).ifPresent(clauses::add);
        }
        if (!chosen.isExhaustive() && chosen.problem() == null) {
            clauses.add(Phrases.undecided());
        }
        addOtherAlternatives(clauses);
        addOtherRequests(clauses);
        addOtherNodes(clauses);
        return clauses;
    }

    /** Clauses with the values that devices have, for all nodes if none of them has the requested ones. */
    private List<String> valuesThere() {
        if (chosen.found() > 0 || !FindingText.isLack(chosen)) {
            return List.of();
        }
        return ValuesThere.clauses(
                chosen.values(),
                FindingText.values(
                        summary.failsEverywhere(chosen.requestRef()) ? texts.onNodes(chosen) : List.of(chosen)));
    }

    /** Adds a clause about an invalid pool, because of which devices in use may not be allocated to others. */
    private void addInvalidPool(List<String> clauses) {
        chosen.pools().stream()
                .filter(pool -> chosen.reason() == Reason.DevicesInUse && pool.reason() == Reason.PoolInvalid)
                .findFirst()
                .map(Finding.PoolProblem::sentence)
                .ifPresent(clauses::add);
    }

    private void addOtherAlternatives(List<String> clauses) {
        explanation.findings().stream()
                .filter(finding -> chosen.isAlternative()
                        && finding != chosen
                        && finding.node().equals(chosen.node())
                        && finding.requestRef().equals(chosen.requestRef()))
                .map(this::otherAlternative)
                .forEach(clauses::add);
    }

    private String otherAlternative(Finding finding) {
        String name = "\"" + finding.request().name() + "\"";
        String some = FindingText.some(finding);
        if (isNeverAmongOthers(finding)) {
            return name + " " + neverFits(finding) + ": " + FindingText.someAnd(finding) + texts.obstacle(finding);
        }
        if (finding.problem() != null || FindingText.isAboutPools(finding)) {
            return name + ": " + texts.obstacle(finding);
        }
        String others = finding.missing() > 1
                ? texts.rest(finding).map(other -> ", " + other).orElse("")
                : "";
        return name + (some.isEmpty() ? "" : " with " + some) + ": " + texts.obstacle(finding) + others;
    }

    private void addOtherRequests(List<String> clauses) {
        List<Finding> others = mostInformativeOfOtherRequests();
        others.stream()
                .limit(MAX_OTHER_REQUESTS)
                .map(finding -> texts.name(finding) + " cannot be served" + also(finding)
                        + (isNeverAmongOthers(finding) ? neverFits(finding) + ": " + FindingText.someAnd(finding) : "")
                        + texts.obstacle(finding))
                .forEach(clauses::add);
        List<String> more =
                others.stream().skip(MAX_OTHER_REQUESTS).map(texts::name).toList();
        if (!more.isEmpty()) {
            clauses.add("nor can " + Phrases.list(more));
        }
    }

    private String also(Finding finding) {
        return explanation.neverFits() && explanation.present().contains(finding) ? " now either: " : " either: ";
    }

    /** One finding for each other request that fails on the node, too, in the order of the claims. */
    private List<Finding> mostInformativeOfOtherRequests() {
        var byPosition = new TreeMap<Integer, Finding>();
        explanation.findings().stream()
                .filter(finding -> finding.node().equals(chosen.node()) && finding.position() != chosen.position())
                .forEach(finding -> byPosition.putIfAbsent(finding.position(), finding));
        return List.copyOf(byPosition.values());
    }

    private void addOtherNodes(List<String> clauses) {
        boolean isSameRequest = summary.failsEverywhere(chosen.requestRef());
        List<List<Finding>> others = summary.byNode().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(chosen.node()))
                .map(Map.Entry::getValue)
                .toList();
        if (!isSameRequest) {
            others.stream()
                    .limit(MAX_OTHER_NODES)
                    .map(findings -> findings.get(0))
                    .map(nearest -> onNode(nearest) + neverThere(nearest) + texts.statement(nearest))
                    .forEach(clauses::add);
        } else if (!FindingText.isPlainLack(chosen)) {
            addNodesOfTheSameRequest(
                    clauses, others.stream().map(this::ofSameRequest).toList());
        }
        if (summary.unexamined() > 0) {
            clauses.add(
                    summary.unexamined() == 1
                            ? "1 more node was not examined"
                            : summary.unexamined() + " more nodes were not examined");
        }
    }

    private Finding ofSameRequest(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.requestRef().equals(chosen.requestRef()))
                .findFirst()
                .orElse(findings.get(0));
    }

    /** Nodes with other hardware are only counted; if there are many nodes, all are. */
    private void addNodesOfTheSameRequest(List<String> clauses, List<Finding> others) {
        Map<Boolean, List<Finding>> byLack =
                others.stream().collect(Collectors.partitioningBy(FindingText::isPlainLack));
        List<Finding> near = byLack.getOrDefault(false, List.of());
        List<Finding> lacking = byLack.getOrDefault(true, List.of());
        if (summary.nodes() <= MAX_UNCOUNTED_NODES) {
            near.forEach(finding -> clauses.add(onNode(finding) + obstacleThere(finding)));
        } else if (!near.isEmpty()) {
            clauses.add(near.stream()
                    .collect(Collectors.groupingBy(
                            finding -> Phrases.nodeState(finding.reason()), LinkedHashMap::new, Collectors.counting()))
                    .entrySet()
                    .stream()
                    .map(entry -> entry.getKey() + " on " + entry.getValue())
                    .collect(Collectors.joining(", ", "other nodes: ", "")));
        }
        if (!lacking.isEmpty()) {
            clauses.add(
                    lacking.size() == 1
                            ? lacking.get(0).node() + " has no such device"
                            : lacking.size() + " nodes have no such device");
        }
    }

    private String neverThere(Finding finding) {
        return isNeverAmongOthers(finding) ? "never fits: " : "";
    }
}
