package dev.fakegpu.engine.cel.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rules of semver.org, version 2.0.0, and of {@code k8s.io/apiserver/pkg/cel/library/semverlib.go}. */
class SemanticVersionTest {

    /** The example of section 11, and its rules 2 and 4. */
    @Test
    void versionsHaveAPrecedence() {
        List<SemanticVersion> ascending = List.of(
                        "0.9.9",
                        "1.0.0-1",
                        "1.0.0-2",
                        "1.0.0-10",
                        "1.0.0-alpha",
                        "1.0.0-alpha.1",
                        "1.0.0-alpha.beta",
                        "1.0.0-beta",
                        "1.0.0-beta.2",
                        "1.0.0-beta.11",
                        "1.0.0-rc.1",
                        "1.0.0",
                        "1.0.1",
                        "1.2.0",
                        "1.10.0",
                        "2.0.0")
                .stream()
                .map(SemanticVersion::parse)
                .toList();

        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(Integer.signum(ascending.get(i).compareTo(ascending.get(j))))
                        .as("%s, %s", ascending.get(i), ascending.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    /** Section 10. */
    @Test
    void buildMetadataDoesNotCount() {
        var version = SemanticVersion.parse("1.0.0-beta+exp.sha.5114f85");

        assertThat(version)
                .isEqualTo(SemanticVersion.parse("1.0.0-beta"))
                .hasSameHashCodeAs(SemanticVersion.parse("1.0.0-beta"))
                .isEqualByComparingTo(SemanticVersion.parse("1.0.0-beta+other"))
                .isNotEqualTo(SemanticVersion.parse("1.0.0"))
                .hasToString("1.0.0-beta+exp.sha.5114f85");
    }

    @Test
    void versionsHaveThreeNumbers() {
        var version = SemanticVersion.parse("1.22.333-rc.1");

        assertThat(List.of(version.major(), version.minor(), version.patch())).containsExactly(1L, 22L, 333L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.1",
                "1.2.3.4",
                "v1.0.0",
                " 1.0.0",
                "1. 0.0",
                "1.0.0 ",
                "01.01.01",
                "1.0.0-",
                "1.0.0-01",
                "1.0.0-a..b",
                "1.0.0-ä",
                "1.0.0+",
                "-1.0.0",
                "18446744073709551616.0.0"
            })
    void malformedVersionsAreRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SemanticVersion.parse(text))
                .withMessage("\"" + text + "\" is not a semantic version");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1.0.0",
        "1.1, 1.1.0",
        "v1.0.0, 1.0.0",
        "v01.01, 1.1.0",
        "01.01.01, 1.1.1",
        "00.0.10, 0.0.10",
        "v1.2.3-rc.1+build, 1.2.3-rc.1+build"
    })
    void aLenientParserNormalizes(String text, String normalized) {
        assertThat(SemanticVersion.parseLenient(text)).hasToString(normalized);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "v", " 1.0.0", "1. 0.0", "1.0.0 ", "1-rc", "1.2+build", "1.2.3.4", "vv1.0.0", "1.0.0-01"})
    void evenALenientParserHasLimits(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SemanticVersion.parseLenient(text));
    }
}
