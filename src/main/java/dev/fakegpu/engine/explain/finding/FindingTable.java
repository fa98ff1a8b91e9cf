package dev.fakegpu.engine.explain.finding;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Formats findings as a table in the style of {@code kubectl}, with one line for each distinct refusal and with all names. */
final class FindingTable {

    private static final int MAX_NODES = 10;
    private static final String GAP = "  ";
    private static final List<String> HEADER =
            List.of("NODE", "CLAIM", "REQUEST", "FOUND", "DEVICES", "REASON", "WHAT STOPS THEM");

    private final List<List<String>> rows = new ArrayList<>();

    private FindingTable() {
        rows.add(HEADER);
    }

    static List<String> of(Explanation explanation) {
        List<Finding> findings = explanation.findings();
        Remedy remedy = explanation.remedy();
        Map<String, List<Finding>> byNode = findings.stream()
                .collect(Collectors.groupingBy(Finding::node, LinkedHashMap::new, Collectors.toList()));
        var table = new FindingTable();
        byNode.values().stream().limit(MAX_NODES).flatMap(List::stream).forEach(table::add);
        var lines = new ArrayList<>(table.lines());
        moreNodes(byNode).ifPresent(lines::add);
        if (explanation.neverFits()) {
            lines.add(Phrases.neverFits(explanation));
        }
        everlasting(explanation).ifPresent(lines::add);
        if (remedy != null) {
            String node = byNode.size() > 1 ? "on " + findings.get(0).node() + ", " : "";
            lines.add(node + Phrases.inFull(NameScope.all()).waysOut().of(remedy, null));
        }
        return List.copyOf(lines);
    }

    private static Optional<String> everlasting(Explanation explanation) {
        List<String> everlasting = explanation.neverFits()
                ? List.of()
                : explanation.everlasting().stream()
                        .map(finding -> finding.resultName() + " on " + finding.node())
                        .toList();
        return everlasting.isEmpty() ? Optional.empty() : Optional.of("can never be had: " + Phrases.list(everlasting));
    }

    private static Optional<String> moreNodes(Map<String, List<Finding>> byNode) {
        var reasons = new EnumMap<Reason, Integer>(Reason.class);
        byNode.values().stream()
                .skip(MAX_NODES)
                .map(findings -> findings.stream()
                        .map(Finding::reason)
                        .min(Reason::compareTo)
                        .orElseThrow())
                .forEach(reason -> reasons.merge(reason, 1, Integer::sum));
        return reasons.isEmpty()
                ? Optional.empty()
                : Optional.of("and " + (byNode.size() - MAX_NODES) + " more nodes: "
                        + reasons.entrySet().stream()
                                .map(entry -> entry.getValue() + " " + entry.getKey())
                                .collect(Collectors.joining(", ")));
    }

    private void add(Finding finding) {
        List<String> requestCells = List.of(
                finding.node(),
                finding.claim().toString(),
                finding.resultName(),
                finding.found() + "/" + finding.wanted());
        List<List<String>> reasonRows = Stream.of(stopped(finding), aligned(finding), others(finding))
                .flatMap(List::stream)
                .toList();
        List<List<String>> causes = reasonRows.isEmpty()
                ? List.of(List.of(count(finding.considered()), finding.reason().name(), ""))
                : reasonRows;
        for (int i = 0; i < causes.size(); i++) {
            List<String> start = i == 0 ? requestCells : List.of("", "", "", "");
            rows.add(Stream.concat(start.stream(), causes.get(i).stream()).toList());
        }
    }

    private static String count(int devices) {
        return Integer.toString(devices);
    }

    private static List<List<String>> others(Finding finding) {
        return finding.others().stream()
                .map(other -> List.of("", other.reason().name(), other.sentence()))
                .toList();
    }

    private static List<List<String>> aligned(Finding finding) {
        return Stream.ofNullable(finding.alignment())
                .flatMap(alignment -> AlignmentText.lines(alignment, Phrases.inFull(NameScope.all())).stream())
                .map(line -> List.of("", "", line))
                .toList();
    }

    private static List<List<String>> stopped(Finding finding) {
        return finding.stopped().stream()
                .flatMap(stopped -> ways(finding, stopped))
                .toList();
    }

    private static Stream<List<String>> ways(Finding finding, Finding.Stopped stopped) {
        String reason = stopped.reason().name();
        Stream<List<String>> examples = stopped.examples().stream()
                .map(example -> List.of(count(example.devices()), reason, finding.describe(example)));
        int shown =
                stopped.examples().stream().mapToInt(Finding.Example::devices).sum();
        int more = stopped.ways() - stopped.examples().size();
        return more == 0
                ? examples
                : Stream.concat(
                        examples,
                        Stream.of(List.of(
                                count(stopped.devices() - shown),
                                reason,
                                more == 1 ? "likewise, in another way" : "likewise, in " + more + " other ways")));
    }

    private List<String> lines() {
        int[] widths = IntStream.range(0, HEADER.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> row.get(column)
                        + " ".repeat(widths[column] - row.get(column).length()))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }
}
