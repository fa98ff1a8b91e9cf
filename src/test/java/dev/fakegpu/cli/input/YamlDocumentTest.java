package dev.fakegpu.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected JSON is that of {@code sigs.k8s.io/yaml} 1.6.0, with which kubectl parses files. */
class YamlDocumentTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "y | true",
                "No | false",
                "on | true",
                "OFF | false",
                "nO | \"nO\"",
                "TRUE | true",
                "~ | null",
                "'y' | \"y\"",
                "\"no\" | \"no\"",
                "!!str no | \"no\"",
                "!!bool no | false",
                "010 | 8",
                "-010 | -8",
                "08 | 8",
                "0o10 | 8",
                "0x1F | 31",
                "0b101 | 5",
                "1_0 | 10",
                "1_000.5 | 1000.5",
                "_1 | \"_1\"",
                "1e1 | 10",
                "2.0 | 2",
                "1.5 | 1.5",
                ".5 | 0.5",
                "5. | 5",
                "+5 | 5",
                "1e3 | 1000",
                "-0 | 0",
                "0 | 0",
                "00 | 0",
                "1e400 | \"1e400\"",
                "9223372036854775808 | 9223372036854775808",
                "1e | \"1e\"",
                "0xZ | \"0xZ\"",
                "1:30 | \"1:30\"",
                "2024-01-02 | \"2024-01-02\"",
                "1.2.3 | \"1.2.3\"",
                "40Gi | \"40Gi\"",
                "1d | \"1d\"",
                "[y, 'y', 0o7] | [true,\"y\",7]",
                "{n: 1, 010: 2, 1.5: 3, on: 4} | {\"false\":1,\"8\":2,\"1.5\":3,\"true\":4}"
            })
    void valuesAreReadAsByKubectl(String yaml, String json) {
        assertThat(read("v: " + yaml)).isEqualTo("{\"v\":" + json + "}");
    }

    @Test
    void keysAreMerged() {
        assertThat(read("a: &a {x: 1, y: 2}\nb: {<<: *a, 'y': 3}\n"))
                .isEqualTo("{\"a\":{\"x\":1,\"true\":2},\"b\":{\"x\":1,\"true\":2,\"y\":3}}");
        assertThat(read("a: &a {x: 1}\nb: {<<: [*a, {x: 2, z: 3}]}\n"))
                .isEqualTo("{\"a\":{\"x\":1},\"b\":{\"x\":1,\"z\":3}}");
    }

    @Test
    void ambiguousValuesAreReportedWithTheirLines() {
        Manifest manifest = Manifests.ofText("kind: Node\nspec:\n  on: 010\n  plain: true\n  count: 10\n", "a.yaml")
                .get(0);

        assertThat(manifest.notes())
                .containsExactly(
                        "line 3: kubectl reads on as true; write \"on\" if it is a text",
                        "line 3: kubectl reads 010 as 8; write \"010\" if it is a text");
    }

    @Test
    void theLastOfRepeatedKeysIsUsed() {
        Manifest manifest =
                Manifests.ofText("kind: Node\na: {b: 1}\na: {c: 2}\n", "a.yaml").get(0);

        assertThat(manifest.json()).hasToString("{\"kind\":\"Node\",\"a\":{\"c\":2}}");
        assertThat(manifest.notes()).containsExactly("line 3: the key a is there twice; kubectl takes the last one");
    }

    @Test
    void invalidYamlIsRefusedWithItsPosition() {
        assertThatThrownBy(() -> read("a: -.inf\n"))
                .hasMessage("a.yaml: is not YAML: line 1, column 4: JSON has no number -.inf");
        assertThatThrownBy(() -> read("a: !other b\n"))
                .hasMessage("a.yaml: is not YAML: line 1, column 4: the tag !other is not known");
        assertThatThrownBy(() -> read("a: b\n...\nc: d\n"))
                .hasMessage("a.yaml: is not YAML: line 3, column 1: a line \"...\" ends a document;"
                        + " write out what it stands for, or --- before another document");
        assertThatThrownBy(() -> read("a:\n  b: c\n  ...\n"))
                .hasMessage(
                        "a.yaml: is not YAML: line 4, column 1: a line \"...\" is not a field; write out what it stands for");
    }

    /** A mark shows only a part of a long line, after an ellipsis. */
    @Test
    void aLongLineIsNotAbridged() {
        assertThatThrownBy(() -> read("a: [" + "b, ".repeat(100) + "!other c]\n"))
                .hasMessage("a.yaml: is not YAML: line 1, column 305: the tag !other is not known");
    }

    /** kubectl prints such names in JSON, and reads them, while a key in YAML may have 1,024 characters. */
    @Test
    void jsonMayHaveLongFieldNames() {
        String json = "{\"kind\":\"A\",\"" + "x".repeat(2000) + "\":1}";
        assertThat(read(json)).isEqualTo(json);
        assertThat(Manifests.ofText(json + "\n" + json, "a.json")).hasSize(2);
    }

    private static String read(String yaml) {
        return Manifests.ofText(yaml, "a.yaml").get(0).json().toString();
    }
}
