package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.NameScope;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts findings into one sentence: the most informative device in full, the others as counts. {@link Phrases} has its parts. */
final class Sentence {

    private static final int MAX_OTHER_NODES = 2;

    private static final int MAX_OTHER_REQUESTS = 3;

    /** So many nodes are all named; more are counted, too. */
    private static final int MAX_UNCOUNTED_NODES = 1 + MAX_OTHER_NODES;

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
        phrases = explanation.claims() > 1 ? Phrases.namingClaims(reader) : Phrases.ofOneClaim(reader);
    }

    String write() {
        String never = explanation.neverFits() ? Phrases.neverFits(explanation) + ": " : "";
        var text = new StringBuilder(Phrases.shorten(never + start(), length));
        clauses().forEach(clause -> append(text, "; " + clause));
        return text.toString();
    }

    /** A clause that does not fit is left out entirely. */
    private void append(StringBuilder text, String clause) {
        if (text.length() + clause.length() <= length) {
            text.append(clause);
        }
    }

    /** Up to the first obstacle. If other requests fail on other nodes, each node is named before the request that fails there. */
    private String start() {
        if (summary.nodes() == 1) {
            return opening(chosen) + ": " + obstacle(chosen);
        }
        if (summary.failsEverywhere(chosen.requestRef())) {
            if (summary.nodes() > MAX_UNCOUNTED_NODES
                    && isShort(chosen)) { // other nodes may have fewer of the devices, or none
                return "no node has " + chosen.wanted() + " devices for " + name(chosen) + counted("") + ": "
                        + onNode(chosen) + some(chosen).replace(" devices", "") + ": " + obstacle(chosen);
            }
            return opening(chosen) + counted(" on any of " + summary.nodes() + " nodes") + ": " + onNode(chosen)
                    + obstacle(chosen);
        }
        String all = summary.isSpreadOverNodes() ? "no node has devices for all requests" : "no node fits";
        return all + counted("") + ": " + onNode(chosen) + opening(chosen) + ": " + obstacle(chosen);
    }

    /** Why how many nodes do not fit; empty if all of them are named anyway. */
    private String counted(String beginning) {
        if (summary.nodes() <= MAX_UNCOUNTED_NODES) {
            return "";
        }
        var counts = summary.reasons().entrySet().stream()
                .map(entry -> Phrases.nodeState(entry.getKey()) + " on " + entry.getValue());
        var unexamined =
                summary.unexamined() > 0 ? Stream.of(summary.unexamined() + " not examined") : Stream.<String>empty();
        return beginning + Stream.concat(counts, unexamined).collect(Collectors.joining(", ", " (", ")"));
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
        return finding.problem() == null
                && !finding.stopped().isEmpty()
                && finding.stopped().get(0).reason() == Reason.SelectorFailed;
    }

    private String onNode(Finding finding) {
        return summary.nodes() > 1 ? "on " + finding.node() + ": " : "";
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
            case NoMatchingDevice -> notSelected(finding, finding.stopped().get(0));
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

    /** A selector that fails on one device ends the search for any, as upstream does it. */
    private String selectorFailed(Finding finding, Finding.Stopped stopped) {
        Finding.Example first = stopped.examples().get(0);
        int matching = finding.request().isAll() ? 0 : finding.considered() - finding.notMatching();
        return phrases.refusal(first.device().device(), first.refusal())
                + "; a selector that fails on one device stops the claim"
                + (matching > 0
                        ? ", although " + Phrases.devices(matching) + (matching == 1 ? " matches" : " match")
                        : "");
    }

    private static String notSelected(Finding finding, Finding.Stopped stopped) {
        String parts = stopped.examples().stream()
                .flatMap(example -> Stream.ofNullable(Phrases.rejected(finding, example)))
                .collect(Collectors.joining(", "));
        int more = stopped.ways() - stopped.examples().size();
        return (finding.found() > 0 ? "none of the other " : "none of ") + Phrases.devices(stopped.devices())
                + " is selected: " + parts + (more > 0 ? " and others by " + more + " more selectors" : "");
    }

    private List<String> clauses() {
        var clauses = new ArrayList<String>();
        if (isAboutPools(chosen)) {
            chosen.stopped().stream()
                    .filter(stopped -> stopped.reason() == Reason.NoMatchingDevice)
                    .forEach(stopped -> clauses.add(notSelected(chosen, stopped)));
        } else if (chosen.problem() == null) {
            clauses.addAll(otherDevices(chosen));
            addInvalidPool(clauses);
        }
        if (!chosen.isExhaustive() && chosen.problem() == null) {
            clauses.add(Phrases.undecided());
        }
        if (explanation.remedy() != null) {
            clauses.add(phrases.remedy(explanation.remedy()));
        }
        addOtherAlternatives(clauses);
        addOtherRequests(clauses);
        addOtherNodes(clauses);
        return clauses;
    }

    private static List<String> otherDevices(Finding finding) {
        var clauses = new ArrayList<String>();
        int clause = 0;
        for (Finding.Stopped stopped : finding.stopped()) {
            if (stopped.reason() == Reason.NoMatchingDevice) {
                continue;
            }
            boolean isFirst = clause++ == 0;
            int same = isFirst ? devicesInFull(stopped) : 0;
            if (same > 1 && stopped.reason() != Reason.DevicesUnhealthy) {
                clauses.add(
                        same == 2
                                ? "1 more device is stopped the same way"
                                : same - 1 + " more devices are stopped the same way");
            }
            int others = stopped.devices() - same;
            if (others > 0) {
                clauses.add(others + " more " + (others == 1 ? "is " : "are ") + Phrases.state(stopped.reason()));
            }
        }
        return clauses;
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
            return name + " " + Phrases.neverFits(finding.node()) + ": " + someAnd(finding) + obstacle(finding);
        }
        if (finding.problem() != null || isAboutPools(finding)) {
            return name + ": " + obstacle(finding);
        }
        String others = finding.missing() > 1
                ? otherDevices(finding).stream().map(other -> ", " + other).collect(Collectors.joining())
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
        summary.byNode().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(chosen.node()))
                .limit(MAX_OTHER_NODES)
                .map(entry -> onOtherNode(entry.getValue(), chosen.requestRef(), isSameRequest))
                .forEach(clauses::add);
        int unexamined = summary.unexamined();
        if (unexamined > 0 && summary.nodes() <= MAX_UNCOUNTED_NODES) {
            clauses.add(
                    unexamined == 1 ? "1 more node was not examined" : unexamined + " more nodes were not examined");
        }
    }

    private String onOtherNode(List<Finding> findings, RequestRef request, boolean isSameRequest) {
        Finding nearest = findings.get(0);
        if (!isSameRequest) {
            return onNode(nearest) + (isNeverAmongOthers(nearest) ? "never fits: " : "") + opening(nearest) + ": "
                    + obstacle(nearest);
        }
        Finding same = findings.stream()
                .filter(finding -> finding.requestRef().equals(request))
                .findFirst()
                .orElse(nearest);
        return onNode(same) + obstacleThere(same);
    }
}
