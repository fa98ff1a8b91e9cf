package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.ExtendedResourceClaim;
import dev.fakegpu.cluster.snapshot.AssumptionsText;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.util.WrappedText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A report as text, wrapped at 120 columns. */
public final class ReportText {

    private final List<String> lines = new ArrayList<>();

    private ReportText() {}

    /** The lines without line separators. */
    public static List<String> of(Report report) {
        var text = new ReportText();
        report.withoutExplanations().ifPresent(sentence -> text.add(0, sentence));
        report.groups().forEach(text::group);
        text.section("Not seen, because of your rights:", report.notSeen());
        text.section("Not understood by this version:", report.unreadable());
        return List.copyOf(text.lines);
    }

    private void group(Report.Group group) {
        Answer answer = group.answer();
        if (!lines.isEmpty()) {
            lines.add("");
        }
        String state = switch (answer.state()) {
            case SERVED -> " is served";
            case UNHEALTHY -> " has unhealthy devices";
            case PENDING -> " is pending";
            case UNPREPARED -> " does not run";
            case OVER -> answer.code().equals(Code.Ended.name()) ? " has ended" : " is being deleted";
        };
        add(0, answer.subject().title() + state + " (" + answer.code() + "):");
        add(2, answer.text());
        names("The same is true of:", group.others());
        names("The same is true of these, but others that wait for the same devices come first:", group.queued());
        section(answer.state() == State.PENDING ? "Also:" : "Devices:", answer.facts());
        answer.evidence().ifPresent(evidence -> evidence(answer, evidence));
    }

    private void evidence(Answer answer, Evidence evidence) {
        evidence.explanation().ifPresent(explanation -> findings(explanation, evidence.requests()));
        section(
                "Nodes that do not fit, whatever devices are free:",
                evidence.unfit().stream()
                        .map(unfit ->
                                unfit.nodes().size() + " " + unfit.reason() + ": " + String.join(", ", unfit.nodes()))
                        .toList());
        if (!evidence.ways().isEmpty()
                || evidence.explanation().filter(ReportText::hasFindings).isPresent()) {
            section("Ways out that were tried:", ways(evidence));
        }
        if (answer.state() == State.PENDING) {
            lines.addAll(AssumptionsText.of(List.of(evidence.assumed())));
        }
    }

    private static boolean hasFindings(Explanation explanation) {
        return !explanation.findings().isEmpty();
    }

    private static List<String> ways(Evidence evidence) {
        if (evidence.ways().isEmpty()
                && evidence.explanation().filter(Explanation::neverFits).isPresent()) {
            return List.of("nothing that could be released, tolerated or repaired would help on these nodes");
        }
        if (evidence.ways().isEmpty()) {
            return List.of(
                    "none of these helps: releasing claims, tolerating a taint, repairing devices, completing a pool");
        }
        return evidence.ways().stream().map(Evidence.WayOut::onItsNodes).toList();
    }

    /** Combines nodes with equal findings. */
    private void findings(Explanation explanation, Map<String, String> requests) {
        List<Finding> everlasting = explanation.everlasting();
        if (explanation.neverFits()) {
            findings("With nothing allocated, on ", everlasting, requests);
        }
        findings(everlasting.isEmpty() ? "On " : "Currently, on ", explanation.present(), requests);
        if (!explanation.neverFits()) {
            findings("Even with nothing allocated, on ", everlasting, requests);
        }
        long nodes =
                explanation.findings().stream().map(Finding::node).distinct().count();
        if (nodes > 0 && explanation.nodes() > nodes) {
            add(0, "(" + (explanation.nodes() - nodes) + " more nodes were not examined: there are too many devices)");
        }
    }

    private void findings(String heading, List<Finding> all, Map<String, String> requests) {
        Map<String, List<Finding>> byNode =
                all.stream().collect(Collectors.groupingBy(Finding::node, LinkedHashMap::new, Collectors.toList()));
        Map<List<String>, List<String>> nodes = new LinkedHashMap<>();
        byNode.forEach((node, findings) -> nodes.computeIfAbsent(
                        findings.stream()
                                .flatMap(finding -> finding(finding, requests).stream())
                                .toList(),
                        ignored -> new ArrayList<>())
                .add(node));
        nodes.forEach((body, names) -> {
            lines.add("");
            add(0, heading + String.join(", ", names) + ":");
            body.forEach(line -> add(line.startsWith(" ") ? 4 : 2, line.strip()));
        });
    }

    /** The first line is about the request; the others, which begin with a space, are about devices. */
    private static List<String> finding(Finding finding, Map<String, String> requests) {
        var body = new ArrayList<String>();
        String request = "request \"" + finding.resultName() + "\" of claim "
                + finding.claim().name();
        body.add("%s: %d of %d found among %s%s"
                .formatted(
                        requests.getOrDefault(finding.resultName(), request),
                        finding.found(),
                        finding.wanted(),
                        finding.considered() == 1 ? "1 device" : finding.considered() + " devices",
                        finding.alongside().isEmpty() ? "" : ", beside the other requests"));
        finding.stopped()
                .forEach(stopped -> stopped.everyWay()
                        .forEach(way -> body.add(" %d %s: %s%s"
                                .formatted(
                                        way.devices(),
                                        stopped.reason(),
                                        finding.describe(way),
                                        likewise(stopped, way)))));
        finding.others().forEach(other -> body.add(" %s: %s".formatted(other.reason(), other.sentence())));
        if (body.size() == 1 && finding.found() > 0) {
            body.add(" there are no more devices");
        }
        return body.stream()
                .map(line -> ExtendedResourceClaim.inWordsOfPod(requests, line))
                .toList();
    }

    /** Returns the text about one device if it applies to several. Texts about selectors apply to all devices. */
    private static String likewise(Finding.Stopped stopped, Finding.Example way) {
        return way.devices() == 1 || stopped.reason() == Reason.NoMatchingDevice
                ? ""
                : " (and " + (way.devices() - 1) + " more likewise)";
    }

    private void names(String title, List<Subject> subjects) {
        String names = subjects.stream()
                .map(subject -> subject.namespace() + "/" + subject.name())
                .collect(Collectors.joining(", "));
        section(title, names.isEmpty() ? List.of() : List.of(names));
    }

    private void section(String title, List<String> items) {
        if (!items.isEmpty()) {
            lines.add("");
            add(0, title);
            items.forEach(item -> add(2, item));
        }
    }

    private void add(int indent, String text) {
        lines.addAll(WrappedText.lines(indent, text));
    }
}
