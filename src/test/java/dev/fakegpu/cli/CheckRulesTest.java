package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cli.input.CheckInput;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cluster.check.CheckReport;
import dev.fakegpu.cluster.check.CheckRules;
import dev.fakegpu.cluster.check.Checker;
import dev.fakegpu.cluster.check.Rule;
import dev.fakegpu.cluster.check.Violation;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each rule reports exactly the objects that violate it, and that valid objects violate none. */
class CheckRulesTest {

    /** All cases start from {@code base.yaml}, which has no errors. */
    @ParameterizedTest
    @ValueSource(strings = {"base.yaml", "dra-example-driver.yaml", "nvidia.yaml", "network.yaml"})
    void objectsInOrderBreakNoRule(String file) {
        assertThat(check(EditedManifests.of(file)).findings()).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> eachRuleFindsWhatBreaksIt() {
        return EditedManifests.cases("rules.yaml").stream()
                .map(edit -> DynamicTest.dynamicTest(edit.toString(), () -> {
                    Set<String> expected = new TreeSet<>();
                    expected.add(edit.path("rule").asText());
                    edit.path("also").forEach(also -> expected.add(also.asText()));
                    assertThat(broken(EditedManifests.of("base.yaml"), edit)).isEqualTo(expected);
                }));
    }

    @Test
    void eachRuleHasACase() {
        Set<String> tried = EditedManifests.cases("rules.yaml").stream()
                .map(edit -> edit.path("rule").asText())
                .collect(Collectors.toSet());
        assertThat(CheckRules.all())
                .extracting(Rule::name)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> {
                    assertThat(name).matches("[a-z]+(-[a-z]+)*");
                    assertThat(tried).contains(name);
                });
        assertThat(CheckRules.all()).hasSizeGreaterThanOrEqualTo(40).allSatisfy(rule -> {
            assertThat(rule.why()).endsWith(".");
            assertThat(rule.fix()).isNotBlank();
            assertThat(rule.source()).isNotBlank();
        });
    }

    @TestFactory
    Stream<DynamicTest> mistakesOfDriversAreNamed() {
        List<JsonNode> mistakes = EditedManifests.cases("drivers.yaml");
        assertThat(mistakes).hasSizeGreaterThanOrEqualTo(30);
        return mistakes.stream()
                .map(mistake -> DynamicTest.dynamicTest(
                        mistake.path("mistake").asText(),
                        () -> assertThat(broken(
                                        EditedManifests.of(mistake.path("in").asText()), mistake))
                                .contains(mistake.path("rule").asText())));
    }

    @Test
    void findingsSayWhere() {
        var objects = EditedManifests.of("base.yaml");
        var edit = EditedManifests.cases("rules.yaml").stream()
                .filter(each -> each.path("rule").asText().equals("never-allocated"))
                .findFirst()
                .orElseThrow();
        assertThat(check(objects.edit(edit)).findings()).singleElement().satisfies(finding -> {
            assertThat(finding.where())
                    .hasToString("base.yaml: ResourceSlice node-1-devices: spec.devices[0] (card-0)");
            assertThat(finding.message()).contains("takes 41Gi of counter memory");
        });
    }

    private static Set<String> broken(EditedManifests objects, JsonNode edit) {
        return check(objects.edit(edit)).findings().stream()
                .map(Violation::rule)
                .map(Rule::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static CheckReport check(EditedManifests objects) {
        var skipped = new ArrayList<Manifest>();
        CheckReport report = Checker.check(CheckInput.of(objects.manifests(), KubernetesVersion.NEWEST, skipped::add));
        assertThat(skipped).isEmpty();
        return report;
    }
}
