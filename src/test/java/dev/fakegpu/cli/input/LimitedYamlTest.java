package dev.fakegpu.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that would need too much of the stack or the memory are refused with the line. */
class LimitedYamlTest {

    @ParameterizedTest
    @CsvSource({"'{a: ', '}'", "'{\"a\": ', '}'", "'[', ']'"})
    void aFileWithTooManyLevelsIsRefused(String begin, String end) {
        assertThat(Manifests.ofText(nested(begin, end, 499), "a.yaml")).hasSize(1);
        assertThatThrownBy(() -> Manifests.ofText(nested(begin, end, 100_000), "a.yaml"))
                .hasMessage(
                        "a.yaml: is not YAML: line 3, column %d: there are more than 500 objects and lists in each other"
                                .formatted(7 + 499 * begin.length()));
    }

    /** As written, the file has 252 levels. */
    @Test
    void aFileWithTooManyLevelsInItsAliasesIsRefused() {
        String yaml = "kind: ConfigMap\na: &a %s\nb: %s".formatted(nested(250, "1"), nested(249, "*a"));

        assertThat(Manifests.ofText(yaml, "a.yaml")).hasSize(1);
        assertThatThrownBy(() -> Manifests.ofText(yaml.replace("*a", "[*a]"), "a.yaml"))
                .hasMessage(
                        "a.yaml: is not YAML: line 2, column 256: there are more than 500 objects and lists in each other");
        assertThatThrownBy(() -> Manifests.ofText(yaml.replace("*a", "{<<: [{a: *a}]}"), "a.yaml"))
                .hasMessageEndingWith("there are more than 500 objects and lists in each other");
    }

    /** YAML has no such names, so the file is read again as JSON. */
    @Test
    void jsonWithLongNamesAndTooManyLevelsIsRefused() {
        String json = "{\"%s\": %s1%s}".formatted("a".repeat(2_000), "[".repeat(100_000), "]".repeat(100_000));

        assertThatThrownBy(() -> Manifests.ofText(json, "a.json"))
                .hasMessageStartingWith("a.json: is not YAML: line 1");
    }

    /** Each list has the one before it three times, so the last one would have 3^20 values. */
    @Test
    void aFileWithAliasesForTooManyValuesIsRefused() {
        String lists = IntStream.range(1, 20)
                .mapToObj(i ->
                        "a%d: &a%d [%s]".formatted(i, i, String.join(", ", Collections.nCopies(3, "*a" + (i - 1)))))
                .collect(Collectors.joining("\n"));

        assertThatThrownBy(() -> Manifests.ofText("kind: ConfigMap\na0: &a0 [1, 2, 3]\n" + lists, "a.yaml"))
                .hasMessageMatching(
                        "a.yaml: is not YAML: line \\d+, column \\d+: document contains excessive aliasing");
    }

    @Test
    void aMergedListThatContainsItselfIsRefused() {
        assertThatThrownBy(() -> Manifests.ofText("kind: ConfigMap\ndata: {<<: &a [*a]}", "a.yaml"))
                .hasMessage("a.yaml: is not YAML: line 2, column 12: an alias contains itself");
    }

    /** Each list has the one before it twice, so the last one would have 2^34 empty lists. */
    @Test
    void aListOfListsIsNotMerged() {
        String lists = "&a0 []";
        for (int i = 0; i < 34; i++) {
            lists = "&a%d [%s, *a%d]".formatted(i + 1, lists, i);
        }
        String yaml = "kind: ConfigMap\ndata: {<<: " + lists + "}";

        assertThatThrownBy(() -> Manifests.ofText(yaml, "a.yaml"))
                .hasMessageMatching(
                        "a.yaml: is not YAML: line 2, column \\d+: map merge requires map or sequence of maps as the value");
    }

    /** The list that is merged does not have an anchor in its values. */
    @Test
    void aMergedListIsCounted() {
        String values = String.join(", ", Collections.nCopies(1_000, "{}"));
        String merges = String.join("\n", Collections.nCopies(1_000, "- {<<: *a}"));

        assertThatThrownBy(() ->
                        Manifests.ofText("kind: List\na: &a [%s]\nitems:\n%s".formatted(values, merges), "a.yaml"))
                .hasMessageEndingWith("document contains excessive aliasing");
    }

    @Test
    void aFileMayHaveManyAliases() {
        String items = IntStream.range(0, 2_000)
                .mapToObj(i -> "- {<<: *pod, metadata: {name: pod-%d}}".formatted(i))
                .collect(Collectors.joining("\n"));

        assertThat(Manifests.ofText("kind: List\npod: &pod {kind: Pod, spec: {}}\nitems:\n" + items, "a.yaml"))
                .hasSize(2_000)
                .allMatch(pod -> pod.kind().equals("Pod"));
    }

    private static String nested(int levels, String value) {
        return "[".repeat(levels) + value + "]".repeat(levels);
    }

    private static String nested(String begin, String end, int levels) {
        return "kind: ConfigMap\nmetadata: {name: a}\ndata: " + begin.repeat(levels) + "1" + end.repeat(levels);
    }
}
