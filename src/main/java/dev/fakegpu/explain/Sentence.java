package dev.fakegpu.explain;

import dev.fakegpu.dra.NameScope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts findings into one sentence: the most informative device in full, the others as counts. {@link Phrases} has its parts. */
final class Sentence {

    private static final int MAX_OTHER_NODES = 2;

    private final int nodes;
    private final Phrases phrases;

    Sentence(int nodes, int claims, NameScope reader) {
        this.nodes = nodes;
        phrases = claims > 1 ? Phrases.namingClaims(reader) : Phrases.ofOneClaim(reader);
    }

    String write(Finding chosen, List<Finding> all, @Nullable Remedy remedy) {
        var text = new StringBuilder(bounded(opening(chosen) + ": " + onNode(chosen) + obstacle(chosen)));
        clauses(chosen, all, remedy).forEach(clause -> append(text, "; " + clause));
        return text.toString();
    }

    /** A clause that does not fit is left out entirely. */
    private static void append(StringBuilder text, String clause) {
        if (text.length() + clause.length() <= Explanation.MAX_SENTENCE) {
            text.append(clause);
        }
    }

    static String bounded(String text) {
        return Phrases.shorten(text, Explanation.MAX_SENTENCE);
    }

    private String opening(Finding finding) {
        String request = phrases.name(finding.claim(), finding.requestName());
        String nearest =
                finding.isAlternative() ? "; nearest is \"" + finding.request().name() + "\"" : "";
        String all = finding.request().isAll() ? "all " : "";
        String some =
                finding.found() > 0 ? "only " + finding.found() + " of " + all + finding.wanted() + " devices" : "";
        if (!finding.alongside().isEmpty()) {
            return request + " fits alone, but not together with " + phrases.alongside(finding.alongside()) + nearest;
        }
        if (finding.isAlternative()) {
            return "no alternative of " + request + " can be had" + nearest + (some.isEmpty() ? "" : " with " + some);
        }
        if (finding.request().isAll()
                && finding.stopped().isEmpty()
                && !finding.pools().isEmpty()) {
            return request + " is for all devices, and not all are known";
        }
        return (some.isEmpty() ? "no device" : some) + " for " + request;
    }

    private String onNode(Finding finding) {
        return nodes > 1 ? "on " + finding.node() + ": " : "";
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
            case NoDevices -> finding.found() > 0 ? "there are no more devices" : "there are no devices";
            case NoMatchingDevice -> notSelected(finding, finding.stopped().get(0));
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

    private static String notSelected(Finding finding, Finding.Stopped stopped) {
        String parts = stopped.examples().stream()
                .flatMap(example -> Stream.ofNullable(Phrases.rejected(finding, example)))
                .collect(Collectors.joining(", "));
        int more = stopped.ways() - stopped.examples().size();
        return (finding.found() > 0 ? "none of the other " : "none of ") + Phrases.devices(stopped.devices())
                + " is selected: " + parts + (more > 0 ? " and others by " + more + " more selectors" : "");
    }

    private List<String> clauses(Finding chosen, List<Finding> all, @Nullable Remedy remedy) {
        var clauses = new ArrayList<String>();
        if (isAboutPools(chosen)) {
            chosen.stopped().stream()
                    .filter(stopped -> stopped.reason() == Reason.NoMatchingDevice)
                    .forEach(stopped -> clauses.add(notSelected(chosen, stopped)));
        } else if (chosen.problem() == null) {
            addOtherDevices(clauses, chosen);
        }
        if (!chosen.isExhaustive() && chosen.problem() == null) {
            clauses.add(Phrases.undecided());
        }
        if (remedy != null) {
            clauses.add(phrases.remedy(remedy));
        }
        addOtherRequests(clauses, chosen, all);
        addOtherNodes(clauses, chosen, all);
        return clauses;
    }

    private static void addOtherDevices(List<String> clauses, Finding chosen) {
        int clause = 0;
        for (Finding.Stopped stopped : chosen.stopped()) {
            if (stopped.reason() == Reason.NoMatchingDevice) {
                continue;
            }
            boolean isFirst = clause++ == 0;
            int same = isFirst ? stopped.examples().get(0).devices() : 0;
            if (same > 1) {
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
    }

    private void addOtherRequests(List<String> clauses, Finding chosen, List<Finding> all) {
        List<String> others = all.stream()
                .filter(finding -> finding.node().equals(chosen.node()))
                .map(finding -> phrases.name(finding.claim(), finding.requestName()))
                .filter(request -> !request.equals(phrases.name(chosen.claim(), chosen.requestName())))
                .distinct()
                .toList();
        if (!others.isEmpty()) {
            clauses.add(Phrases.list(others) + " cannot be served either");
        }
    }

    private void addOtherNodes(List<String> clauses, Finding chosen, List<Finding> all) {
        Set<String> named = new LinkedHashSet<>();
        for (Finding finding : all) {
            if (!finding.node().equals(chosen.node()) && named.add(finding.node()) && named.size() <= MAX_OTHER_NODES) {
                clauses.add(onNode(finding) + obstacle(finding));
            }
        }
        int rest = nodes - 1 - Math.min(MAX_OTHER_NODES, named.size());
        if (rest > 0) {
            clauses.add(rest == 1 ? "and 1 more node" : "and " + rest + " more nodes");
        }
    }
}
