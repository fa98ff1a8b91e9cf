package dev.fakegpu.engine.problemfile.referee;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Findings that probably have the same cause: they have the same verdict, and their problems have at least the topics of the smallest one.
 *
 * @param topics the topics of the smallest problem
 * @param findings the findings, with the smallest one first
 */
record Kind(Verdict verdict, List<String> topics, List<Finding> findings) {

    private static final Comparator<Finding> BY_SIZE = Comparator.<Finding>comparingInt(
                    finding -> finding.topics().size())
            .thenComparing(finding -> Problems.devices(finding.problem()))
            .thenComparing(finding -> finding.problem().toString().length());

    /** The most frequent first. */
    static List<Kind> of(List<Finding> findings) {
        Map<Kind, List<Finding>> kinds = new LinkedHashMap<>();
        findings.stream()
                .sorted(BY_SIZE)
                .forEach(finding -> kinds.computeIfAbsent(
                                kinds.keySet().stream()
                                        .filter(kind -> kind.isOf(finding))
                                        .findFirst()
                                        .orElseGet(() -> new Kind(finding.verdict(), finding.topics(), List.of())),
                                ignored -> new ArrayList<>())
                        .add(finding));
        return kinds.entrySet().stream()
                .map(entry -> new Kind(entry.getKey().verdict(), entry.getKey().topics(), entry.getValue()))
                .sorted(Comparator.comparing(kind -> -kind.findings().size()))
                .toList();
    }

    private boolean isOf(Finding finding) {
        return verdict == finding.verdict()
                && (topics.equals(List.of(Topics.NONE))
                        ? finding.topics().equals(topics)
                        : finding.topics().containsAll(topics));
    }

    Finding smallest() {
        return findings.get(0);
    }

    @Override
    public String toString() {
        return verdict + ": " + String.join(", ", topics);
    }
}
