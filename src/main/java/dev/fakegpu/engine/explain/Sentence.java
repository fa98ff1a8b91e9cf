package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.NameScope;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Puts findings into one sentence: what is refused, what is in the way, and what would help; then, as far as it stays short, the rest.
 * {@link FindingTable} has all of it, and {@link Phrases} the parts.
 */
final class Sentence {

    /** In characters. Beyond this nothing is said but what is refused, what is in the way, and what would help. */
    static final int BRIEF = 200;

    private static final int MAX_OTHER_NODES = 2;

    private static final int MAX_OTHER_REQUESTS = 3;

    /** So many nodes are all named; more are counted, too. */
    private static final int MAX_UNCOUNTED_NODES = 1 + MAX_OTHER_NODES;

    private static final Set<Reason> LACK = EnumSet.of(Reason.NoMatchingDevice, Reason.NoDevices);

    private final Explanation explanation;
    private final Finding chosen;
    private final NodeSummary summary;
    private final Phrases phrases;
    private final int length;

    Sentence(Explanation explanation, NameScope reader, int length) {
        this.explanation = explanation;
        this.length = length;
        chosen = explanation.findings().get(0);
        summary = NodeSummary.of(explanation.findings(), explanation.nodes());
        phrases = Phrases.brief(explanation, reader);
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
                : failedSelector(chosen)
                        .flatMap(failed -> Phrases.rewritten(failed.message())
                                .map(rewritten -> isOfClass(failed) ? "in the class, " + rewritten : rewritten));
    }

    /** Up to the first obstacle. If other requests fail on other nodes, each node is named before the request that fails there. */
    private String start() {
        if (summary.nodes() == 1) {
            return statement(chosen);
        }
        if (!summary.failsEverywhere(chosen.requestRef())) {
            return (summary.isSpreadOverNodes() ? "no node has devices for all requests: " : "no node fits: ")
                    + onNode(chosen)
                    + statement(chosen);
        }
        if (isPlainLack(chosen)) {
            return statement(chosen);
        }
        if (summary.nodes() > MAX_UNCOUNTED_NODES && isShort(chosen)) { // other nodes may have fewer, or none
            return "no node has " + chosen.wanted() + " devices for " + name(chosen) + ": " + chosen.node() + " has "
                    + chosen.found()
                    + (LACK.contains(chosen.reason()) && chosen.pools().isEmpty() ? "" : ", " + obstacle(chosen));
        }
        String nodes = summary.nodes() > MAX_UNCOUNTED_NODES ? " on any of " + summary.nodes() + " nodes" : "";
        return opening(chosen) + nodes + ": " + onNode(chosen) + obstacle(chosen);
    }

    /** What is refused, and what is in the way. */
    private String statement(Finding finding) {
        if (isPlainLack(finding)) {
            return obstacle(finding) + " (" + name(finding) + ")";
        }
        return isUndecidable(finding) && !finding.isAlternative()
                ? obstacle(finding)
                : opening(finding) + ": " + obstacle(finding);
    }

    /** Whether there is nothing to be said but that no device is meant. */
    private static boolean isPlainLack(Finding finding) {
        return finding.problem() == null
                && finding.found() == 0
                && !finding.isAlternative()
                && finding.alongside().isEmpty()
                && finding.pools().isEmpty()
                && LACK.contains(finding.reason());
    }

    private String opening(Finding finding) {
        String request = name(finding);
        String option = finding.isAlternative() ? option(finding) : "";
        String some = some(finding);
        if (isUndecidable(finding)) {
            return request + " cannot be decided" + option;
        }
        if (!finding.alongside().isEmpty()) {
            return request + " fits alone, but not together with " + phrases.alongside(finding.alongside()) + option;
        }
        if (finding.isAlternative()) {
            return "no alternative of " + request + " can be had" + option + (some.isEmpty() ? "" : " with " + some);
        }
        if (finding.request().isAll()
                && finding.stopped().isEmpty()
                && !finding.pools().isEmpty()) {
            return request + " is for all devices, and not all are known";
        }
        return (some.isEmpty() ? "no device" : some) + " for " + request;
    }

    private static String some(Finding finding) {
        String all = finding.request().isAll() ? "all " : "";
        return finding.found() > 0 ? "only " + finding.found() + " of " + all + finding.wanted() + " devices" : "";
    }

    /** Only a remedy shows which alternative is the nearest. */
    private String option(Finding finding) {
        boolean isNearest = finding == chosen && explanation.remedy() != null;
        return (isNearest ? "; nearest is \"" : ": \"") + finding.request().name() + "\"";
    }

    /** Whether it is for a number of devices, of which some can be had. */
    private static boolean isShort(Finding finding) {
        return finding.found() > 0
                && !finding.request().isAll()
                && !finding.isAlternative()
                && finding.alongside().isEmpty()
                && !isUndecidable(finding);
    }

    private static boolean isUndecidable(Finding finding) {
        return failedSelector(finding).isPresent();
    }

    private static Optional<Refusal.SelectorFailed> failedSelector(Finding finding) {
        return finding.problem() == null
                        && !finding.stopped().isEmpty()
                        && finding.stopped().get(0).examples().get(0).refusal() instanceof Refusal.SelectorFailed failed
                ? Optional.of(failed)
                : Optional.empty();
    }

    private static boolean isOfClass(Refusal.SelectorFailed failed) {
        return failed.origin() == SelectorVerdict.Origin.CLASS;
    }

    private String onNode(Finding finding) {
        return summary.nodes() > 1 ? "on " + finding.node() + ", " : "";
    }

    /** Whether it can never be had, while something else may help. */
    private boolean isNeverAmongOthers(Finding finding) {
        return finding.isEverlasting() && !explanation.neverFits();
    }

    private String obstacleThere(Finding finding) {
        if (!isNeverAmongOthers(finding)) {
            return obstacle(finding);
        }
        return "never fits: " + someAnd(finding) + obstacle(finding);
    }

    private static String someAnd(Finding finding) {
        String some = some(finding);
        return some.isEmpty() ? "" : some + ": ";
    }

    private String obstacle(Finding finding) {
        Reason reason = finding.reason();
        if (finding.problem() != null) {
            return finding.problem().sentence();
        }
        if (isAboutPools(finding)) {
            return finding.pools().get(0).sentence();
        }
        return switch (reason) {
            case NoDevices -> Phrases.noDevices(finding.found());
            case NoMatchingDevice ->
                Phrases.notSelected(finding, finding.stopped().get(0));
            case SelectorFailed -> selectorFailed(finding, finding.stopped().get(0));
            case DevicesUnhealthy -> phrases.unhealthy(finding.stopped().get(0));
            default -> {
                Finding.Example first = finding.stopped().get(0).examples().get(0);
                yield phrases.refusal(first.device().device(), first.refusal());
            }
        };
    }

    private static boolean isAboutPools(Finding finding) {
        return finding.problem() == null
                && !finding.pools().isEmpty()
                && finding.pools().get(0).reason() == finding.reason();
    }

    private String selectorFailed(Finding finding, Finding.Stopped stopped) {
        Finding.Example first = stopped.examples().get(0);
        return failedSelector(finding)
                .map(failed -> Phrases.selectorFails(
                        isOfClass(failed)
                                ? "of class \"" + finding.request().deviceClassName() + '"'
                                : "of " + name(finding),
                        first.device().device(),
                        failed.message()))
                .orElseGet(() -> phrases.refusal(first.device().device(), first.refusal()));
    }

    /** A selector that fails on one device ends the search for any, as upstream does it. */
    private static String stopped(Finding finding, Refusal.SelectorFailed failed) {
        int matching = finding.request().isAll() ? 0 : finding.considered() - finding.notMatching();
        return (isOfClass(failed) ? "this stops every claim of the class" : "this stops the claim")
                + (matching > 0
                        ? ", although " + Phrases.devices(matching) + (matching == 1 ? " matches" : " match")
                        : "");
    }

    private List<String> clauses() {
        var clauses = new ArrayList<String>();
        failedSelector(chosen).ifPresent(failed -> clauses.add(stopped(chosen, failed)));
        if (isAboutPools(chosen)) {
            chosen.stopped().stream()
                    .filter(stopped -> stopped.reason() == Reason.NoMatchingDevice)
                    .forEach(stopped -> clauses.add(Phrases.notSelected(chosen, stopped)));
        } else if (chosen.problem() == null) {
            addInvalidPool(clauses);
            otherDevices(chosen).ifPresent(clauses::add);
        }
        if (!chosen.isExhaustive() && chosen.problem() == null) {
            clauses.add(Phrases.undecided());
        }
        addOtherAlternatives(clauses);
        addOtherRequests(clauses);
        addOtherNodes(clauses);
        return clauses;
    }

    /** Such as {@code 3 more likewise, 1 in use}. */
    private static Optional<String> otherDevices(Finding finding) {
        var parts = new ArrayList<String>();
        int clause = 0;
        for (Finding.Stopped stopped : finding.stopped()) {
            if (stopped.reason() == Reason.NoMatchingDevice) {
                continue;
            }
            boolean isFirst = clause++ == 0;
            int same = isFirst ? devicesInFull(stopped) : 0;
            if (same > 1 && stopped.reason() != Reason.DevicesUnhealthy) {
                parts.add(same - 1 + more(parts) + " likewise");
            }
            int others = stopped.devices() - same;
            if (others > 0) {
                parts.add(others + more(parts) + " " + Phrases.state(stopped.reason()));
            }
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", parts));
    }

    private static String more(List<String> parts) {
        return parts.isEmpty() ? " more" : "";
    }

    /** Why devices that are held by others may not even be these. */
    private void addInvalidPool(List<String> clauses) {
        chosen.pools().stream()
                .filter(pool -> chosen.reason() == Reason.DevicesInUse && pool.reason() == Reason.PoolInvalid)
                .findFirst()
                .map(Finding.PoolProblem::sentence)
                .ifPresent(clauses::add);
    }

    /** How many devices the obstacle is about. */
    private static int devicesInFull(Finding.Stopped stopped) {
        return stopped.reason() == Reason.DevicesUnhealthy
                ? stopped.examples().size()
                : stopped.examples().get(0).devices();
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
        String some = some(finding);
        if (isNeverAmongOthers(finding)) {
            return name + " never fits: " + someAnd(finding) + obstacle(finding);
        }
        if (finding.problem() != null || isAboutPools(finding)) {
            return name + ": " + obstacle(finding);
        }
        String others = finding.missing() > 1
                ? otherDevices(finding).map(other -> ", " + other).orElse("")
                : "";
        return name + (some.isEmpty() ? "" : " with " + some) + ": " + obstacle(finding) + others;
    }

    private void addOtherRequests(List<String> clauses) {
        List<Finding> others = mostInformativeOfOtherRequests();
        others.stream()
                .limit(MAX_OTHER_REQUESTS)
                .map(finding -> name(finding) + " cannot be served" + also(finding) + obstacleThere(finding))
                .forEach(clauses::add);
        List<String> more =
                others.stream().skip(MAX_OTHER_REQUESTS).map(this::name).toList();
        if (!more.isEmpty()) {
            clauses.add("nor can " + Phrases.list(more));
        }
    }

    private String also(Finding finding) {
        return explanation.neverFits() && explanation.present().contains(finding)
                ? " at present either: "
                : " either: ";
    }

    /** One finding for each request that also fails on the node, in the order of the claims. */
    private List<Finding> mostInformativeOfOtherRequests() {
        var byPosition = new TreeMap<Integer, Finding>();
        explanation.findings().stream()
                .filter(finding -> finding.node().equals(chosen.node()) && finding.position() != chosen.position())
                .forEach(finding -> byPosition.putIfAbsent(finding.position(), finding));
        return List.copyOf(byPosition.values());
    }

    private String name(Finding finding) {
        return phrases.name(finding.claim(), finding.requestName());
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
                    .map(nearest -> onNode(nearest) + neverThere(nearest) + statement(nearest))
                    .forEach(clauses::add);
        } else if (!isPlainLack(chosen)) {
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
        Map<Boolean, List<Finding>> byLack = others.stream().collect(Collectors.partitioningBy(Sentence::isPlainLack));
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
