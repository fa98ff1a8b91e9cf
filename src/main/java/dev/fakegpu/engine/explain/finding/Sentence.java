package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.NameScope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts findings into one sentence: what is refused, what is in the way, and what would help; then, as far as it stays short, the rest.
 * {@link FindingTable} has all of it, {@link FindingText} what is said of one finding, and {@link Phrases} the parts.
 */
final class Sentence {

    /** In characters. Beyond this nothing is said but what is refused, what is in the way, and what would help. */
    static final int BRIEF = 200;

    private static final int MAX_OTHER_NODES = 2;

    private static final int MAX_OTHER_REQUESTS = 3;

    /** So many nodes are all named; more are counted, too. */
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

    /** What is always said. Of what would help nothing is left out for what is in the way. */
    String beginning() {
        String way = Phrases.shorten(wayOut().map(known -> "; " + known).orElse(""), length / 2);
        return Phrases.shorten(never() + start(), length - way.length()) + way;
    }

    private String never() {
        boolean isAboutAllNodes = !summary.failsEverywhere(chosen.requestRef());
        return explanation.neverFits() ? (isAboutAllNodes ? "never fits" : Phrases.neverFits(explanation)) + ": " : "";
    }

    /** A clause that does not fit is left out entirely. */
    private void append(StringBuilder text, String clause) {
        if (text.length() + clause.length() <= Math.min(length, BRIEF)) {
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

    /** Up to the first obstacle. If other requests fail on other nodes, each node is named before the request that fails there. */
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

    /** Whether it can never be had, while something else may help. */
    private boolean isNeverAmongOthers(Finding finding) {
        return finding.isEverlasting() && !explanation.neverFits();
    }

    /** With the node if the same may fit on others. */
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
                    .forEach(stopped -> clauses.add(Phrases.notSelected(chosen, stopped)));
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

    /** On all nodes, if none of them has what is asked for. */
    private List<String> valuesThere() {
        if (chosen.found() > 0 || !FindingText.isLack(chosen)) {
            return List.of();
        }
        Stream<Finding> others = summary.failsEverywhere(chosen.requestRef())
                ? explanation.findings().stream()
                        .filter(finding -> finding.requestRef().equals(chosen.requestRef())
                                && finding.resultName().equals(chosen.resultName()))
                : Stream.of(chosen);
        return ValuesThere.clauses(
                others.flatMap(finding -> finding.values().stream()).toList());
    }

    /** Why devices that are held by others may not even be these. */
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

    /** One finding for each request that also fails on the node, in the order of the claims. */
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

    /** Nodes of other hardware are only counted, and all are if there are many. */
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
