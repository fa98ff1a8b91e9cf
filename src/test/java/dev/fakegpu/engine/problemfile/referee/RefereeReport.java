package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code docs/referee.md}. */
final class RefereeReport {

    /**
     * The numbers of problems.
     *
     * @param corpus problems written by hand
     * @param random problems that were generated at random
     * @param left random problems that were omitted, because the API server would not store their objects
     * @param undecided problems for which the reference took too long
     */
    record Extent(int corpus, int random, long seed, int left, int undecided) {}

    private RefereeReport() {}

    static List<String> lines(Extent extent, List<Score> scores, List<String> missing) {
        var lines = new ArrayList<String>(List.of(
                "# Allocators compared with kube-scheduler's",
                "",
                "`hack/referee` writes this page; do not edit it. The [list of features](allocator.md#features-and-gates) names the feature"
                        + " gates of each feature.",
                "",
                "The reference is `k8s.io/dynamic-resource-allocation` v0.37.1 in the experimental variant, which has all features. Each"
                        + " allocator gets the same",
                String.format(
                        Locale.ROOT,
                        "%,d problems of the [corpus](allocation-problems.md) and %,d random ones (from seed %d; %,d more were left out, because the API server",
                        extent.corpus(),
                        extent.random(),
                        extent.seed(),
                        extent.left()),
                "would not store their objects). A problem consists of one node, the ResourceSlices, what is already allocated, and the claims"
                        + " of one pod. Only",
                "the features that its objects use are on, so many problems do not need a feature that an allocator lacks.",
                "",
                "- **agrees**: allocates the same devices as the reference, or nothing if the reference allocates nothing. *With other"
                        + " devices*: it allocates",
                "  other devices, which the reference also allocates if there are no others.",
                "- **refuses**: returns an error that is not about this node's devices, such as “not implemented”, although the reference"
                        + " allocates devices.",
                "- **no answer**: takes too long.",
                "- **wrong**: finds nothing although the reference allocates devices, or allocates devices that the reference never allocates.",
                "",
                String.format(
                        Locale.ROOT,
                        "Not counted: %,d problems for which the reference itself took too long.",
                        extent.undecided()),
                "",
                "| allocator | agrees | of these, with other devices | refuses | no answer | wrong |",
                "|---|--:|--:|--:|--:|--:|"));
        scores.forEach(score -> lines.add(row(score.contestant().name(), score.total())));
        missing.forEach(each -> lines.addAll(List.of("", "Not compared: " + each)));
        scores.forEach(score -> addByTopic(lines, score));
        scores.forEach(score -> addFindings(lines, score));
        return lines;
    }

    private static void addByTopic(List<String> lines, Score score) {
        lines.addAll(List.of(
                "",
                "## " + score.contestant().name() + " by feature",
                "",
                "A problem counts for each of its features.",
                "",
                "| | agrees | of these, with other devices | refuses | no answer | wrong |",
                "|---|--:|--:|--:|--:|--:|"));
        score.byTopic().forEach((topic, counts) -> lines.add(row(topic, counts)));
    }

    private static String row(String name, Map<Verdict, Integer> counts) {
        return "| " + name + " | "
                + String.join(
                        " | ",
                        count(counts, Verdict::agrees),
                        count(counts, Verdict.OTHER_DEVICES::equals),
                        count(counts, Verdict.REFUSES::equals),
                        count(counts, Verdict.NO_ANSWER::equals),
                        count(counts, Verdict::isWrong))
                + " |";
    }

    private static String count(Map<Verdict, Integer> counts, Predicate<Verdict> which) {
        int sum = counts.entrySet().stream()
                .filter(entry -> which.test(entry.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
        return String.format(Locale.ROOT, "%,d", sum);
    }

    private static void addFindings(List<String> lines, Score score) {
        if (score.findings().isEmpty()) {
            return;
        }
        lines.addAll(List.of(
                "",
                "## What " + score.contestant().name() + " gets wrong",
                "",
                "Each wrong answer was reduced to the smallest problem that still shows it. Problems with the same features, or with more, are"
                        + " counted",
                "together; the smallest of them is shown."));
        if (score.wrongOnce() > 0) {
            lines.addAll(List.of(
                    "",
                    String.format(
                            Locale.ROOT,
                            "Not in the list, because the allocator gave another answer when it was asked again: %,d.",
                            score.wrongOnce())));
        }
        Kind.of(score.findings())
                .forEach(kind -> addKind(lines, score.contestant().name(), kind));
    }

    private static void addKind(List<String> lines, String contestant, Kind kind) {
        Finding smallest = kind.smallest();
        lines.addAll(List.of(
                "",
                String.format(Locale.ROOT, "### %s (%,d)", kind, kind.findings().size()),
                "",
                "- reference: " + said(smallest.right()),
                "- " + contestant + ": " + said(smallest.answer()),
                "",
                "```json"));
        Stream.of("node", "classes", "slices", "claims", "state")
                .filter(smallest.problem()::has)
                .filter(part -> !smallest.problem().path(part).isEmpty())
                .forEach(part -> addPart(lines, part, smallest.problem().path(part)));
        lines.add("```");
    }

    private static void addPart(List<String> lines, String part, JsonNode value) {
        if (value.isArray()) {
            value.forEach(each -> lines.add(part + ": " + each));
        } else {
            lines.add(part + ": " + value);
        }
    }

    private static String said(JsonNode answer) {
        return switch (answer.path("outcome").asText()) {
            case "allocated" -> "allocates " + devices(answer);
            case "none" -> "allocates nothing";
            case "panic" -> "crashes: `" + answer.path("error").asText() + "`";
            default ->
                "error: `" + answer.path("error").asText().lines().findFirst().orElse("") + "`";
        };
    }

    private static String devices(JsonNode answer) {
        var times = new TreeMap<String, Integer>();
        for (JsonNode claim : answer.path("results")) {
            for (JsonNode result : claim.path("devices").path("results")) {
                String device = result.path("pool").asText() + "/"
                        + result.path("device").asText();
                times.merge(device + " for " + result.path("request").asText(), 1, Integer::sum);
            }
        }
        return times.isEmpty()
                ? "no devices"
                : times.entrySet().stream()
                        .map(each -> each.getKey() + (each.getValue() == 1 ? "" : " (" + each.getValue() + " times)"))
                        .collect(Collectors.joining(", "));
    }
}
