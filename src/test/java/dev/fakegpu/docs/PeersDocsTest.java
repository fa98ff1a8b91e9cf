package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that {@code docs/peers.md}, which {@code test-e2e/peers/run} writes after runs, has the results that this script expects from the
 * tests of other drivers.
 */
class PeersDocsTest {

    private static final List<String> RESULTS = List.of("passes", "fails", "cannot apply");
    private static final Pattern SUMMARY = Pattern.compile(
            "\\| \\[(?<suite>[\\w-]+)]\\(#\\k<suite>\\) \\| \\[`[0-9a-f]{8}`]\\(https://github\\.com/[\\w./-]+/tree/[0-9a-f]{40}\\)"
                    + " \\| (?<counts>\\d+ \\| \\d+ \\| \\d+) \\|");

    private record Expectation(String suite, String test, String result, String why, String instead) {

        static Expectation of(String line) {
            String[] fields = line.split("\t", -1);
            assertThat(fields).as(line).hasSize(5);
            return new Expectation(fields[0], fields[1], fields[2], fields[3], fields[4]);
        }

        String row() {
            String reason = instead.isEmpty() ? why : why + " Instead: " + instead;
            return "| %s | %s | %s |".formatted(test, result, reason.replace("|", "\\|"));
        }
    }

    @Test
    void resultsThatAreNotPassesHaveAReasonAndFailuresHaveAWorkaround() {
        assertThat(expectations()).isNotEmpty().allSatisfy(expectation -> {
            assertThat(expectation.result()).isIn(RESULTS);
            switch (expectation.result()) {
                case "passes" ->
                    assertThat(expectation.why() + expectation.instead()).isEmpty();
                case "fails" ->
                    assertThat(List.of(expectation.why(), expectation.instead()))
                            .doesNotContain("");
                default -> assertThat(expectation.why()).isNotEmpty();
            }
        });
    }

    @Test
    void thePageBeginsAsTheScriptWritesIt() {
        String script = ProjectFiles.read(ProjectFiles.resolve("test-e2e/peers/run"));

        assertThat(page()).startsWith(between(script, "cat <<'TEXT'\n", "TEXT\n"));
    }

    private static String between(String text, String start, String end) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from));
    }

    @Test
    void thePageHasARowForEachTest() {
        Map<String, List<String>> expected = new TreeMap<>();
        bySuite()
                .forEach((suite, tests) ->
                        expected.put(suite, tests.stream().map(Expectation::row).toList()));
        Map<String, List<String>> rows = new TreeMap<>();
        Stream.of(page().split("\n## ")).skip(1).forEach(section -> {
            List<String> lines = section.lines().toList();
            rows.put(
                    lines.get(0),
                    lines.stream().filter(line -> line.startsWith("| ")).skip(1).toList());
        });

        assertThat(rows).isEqualTo(expected);
    }

    @Test
    void theSummaryCountsTheRows() {
        Map<String, String> expected = new TreeMap<>();
        bySuite().forEach((suite, tests) -> expected.put(suite, counts(tests)));
        Map<String, String> counts = new TreeMap<>();
        page().lines().map(SUMMARY::matcher).filter(Matcher::matches).forEach(line -> {
            counts.put(line.group("suite"), line.group("counts"));
        });

        assertThat(counts).isEqualTo(expected);
    }

    private static String counts(List<Expectation> tests) {
        return String.join(
                " | ",
                RESULTS.stream()
                        .map(result -> tests.stream()
                                .filter(test -> test.result().equals(result))
                                .count())
                        .map(String::valueOf)
                        .toList());
    }

    private static Map<String, List<Expectation>> bySuite() {
        return expectations().stream()
                .collect(Collectors.groupingBy(Expectation::suite, TreeMap::new, Collectors.toList()));
    }

    private static List<Expectation> expectations() {
        return ProjectFiles.read(ProjectFiles.resolve("test-e2e/peers/expected.tsv"))
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(Expectation::of)
                .toList();
    }

    private static String page() {
        return ProjectFiles.read(ProjectFiles.resolve("docs/peers.md"));
    }
}
