package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cli.input.CheckInput;
import dev.fakegpu.cluster.check.CheckReport;
import dev.fakegpu.cluster.check.CheckReportJson;
import dev.fakegpu.cluster.check.CheckReportText;
import dev.fakegpu.cluster.check.CheckRules;
import dev.fakegpu.cluster.check.CheckedClass;
import dev.fakegpu.cluster.check.Checker;
import dev.fakegpu.cluster.check.Input;
import dev.fakegpu.cluster.check.JUnitXml;
import dev.fakegpu.cluster.check.SarifLog;
import dev.fakegpu.cluster.check.Scope;
import dev.fakegpu.cluster.check.Severity;
import dev.fakegpu.cluster.check.Source;
import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class CheckFormatsTest {

    private static CheckReport report() {
        var objects = EditedManifests.of("nvidia.yaml");
        EditedManifests.cases("drivers.yaml").stream()
                .filter(each -> each.path("in").asText().equals("nvidia.yaml"))
                .filter(each -> List.of("class-selects-nothing", "partition-costs-differ", "never-allocated")
                        .contains(each.path("rule").asText()))
                .forEach(objects::edit);
        return Checker.check(CheckInput.of(objects.manifests(), KubernetesVersion.NEWEST, manifest -> {}));
    }

    @Test
    void sarifNamesTheRuleOfEveryResult() {
        CheckReport report = report();
        JsonNode log = SarifLog.of(report);
        JsonNode run = log.path("runs").path(0);
        JsonNode rules = run.path("tool").path("driver").path("rules");

        assertThat(log.path("version").asText()).isEqualTo("2.1.0");
        assertThat(rules).hasSize(CheckRules.all().size()).allSatisfy(rule -> {
            assertThat(rule.path("help").path("text").asText()).isNotBlank();
            assertThat(rule.path("defaultConfiguration").path("level").asText()).isIn("error", "warning");
        });
        assertThat(run.path("results")).hasSize(report.findings().size()).isNotEmpty();
        assertThat(run.path("results")).allSatisfy(result -> {
            int index = result.path("ruleIndex").asInt();
            assertThat(rules.path(index).path("id")).isEqualTo(result.path("ruleId"));
            assertThat(result.path("message").path("text").asText()).isNotBlank();
            assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri")
                            .asText())
                    .isEqualTo("nvidia.yaml");
        });
    }

    @Test
    void sarifEncodesFileNames() {
        var source = new Source("my drivers/a+b:c.yaml", "DeviceClass X");
        CheckReport report =
                Checker.check(new Input(List.of(), List.of(classX(source)), List.of(), Map.of(), Map.of()));

        assertThat(SarifLog.of(report)
                        .at("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri")
                        .asText())
                .isEqualTo("my%20drivers/a%2Bb%3Ac.yaml");
    }

    @Test
    void everyFormatHasTheLine() {
        var source = new Source("driver.yaml", "DeviceClass X", path -> path.equals("metadata.name") ? 7 : 1);
        CheckReport report =
                Checker.check(new Input(List.of(), List.of(classX(source)), List.of(), Map.of(), Map.of()));

        assertThat(SarifLog.of(report)
                        .at("/runs/0/results/0/locations/0/physicalLocation/region/startLine")
                        .asInt())
                .isEqualTo(7);
        assertThat(CheckReportJson.of(report).at("/findings/0/line").asInt()).isEqualTo(7);
        assertThat(CheckReportText.lines(report)).contains("  DeviceClass X in driver.yaml:7");
        assertThat(JUnitXml.of(report, Severity.ERROR)).contains("driver.yaml:7: DeviceClass X");
    }

    private static CheckedClass classX(Source source) {
        var error = new FieldError("metadata.name", "Invalid value: \"X\"");
        return new CheckedClass(source, "X", Serialization.jsonMapper().createObjectNode(), List.of(error));
    }

    @Test
    void junitHasACaseForEachRuleAndSubject() throws Exception {
        CheckReport report = report();

        Document strict = parsed(JUnitXml.of(report, Severity.WARNING));
        Document lenient = parsed(JUnitXml.of(report, Severity.ERROR));

        long slices = report.subjects().stream()
                .filter(subject -> subject.scope() == Scope.SLICE)
                .count();
        long rules = CheckRules.all().stream()
                .filter(rule -> rule.scope() == Scope.SLICE)
                .count();
        assertThat(strict.getElementsByTagName("testsuite").getLength())
                .isEqualTo(report.subjects().size());
        assertThat((long) strict.getElementsByTagName("testcase").getLength()).isGreaterThan(slices * rules);
        assertThat(strict.getElementsByTagName("failure").getLength()).isEqualTo(3);
        assertThat(lenient.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(lenient.getElementsByTagName("system-out").getLength()).isEqualTo(2);
    }

    @Test
    void textFitsATerminal() {
        var lines = new ArrayList<>(CheckReportText.lines(report()));
        lines.addAll(CheckReportText.rules());

        assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void aRuleThatIsBrokenOftenIsSummedUp() {
        var objects = EditedManifests.of("dra-example-driver.yaml");
        StreamSupport.stream(
                        objects.manifests().get(0).json().at("/spec/devices").spliterator(), false)
                .forEach(device -> ((ObjectNode) device.at("/attributes/driverVersion")).put("version", "1"));

        CheckReport report =
                Checker.check(CheckInput.of(objects.manifests(), KubernetesVersion.NEWEST, manifest -> {}));

        assertThat(CheckReportText.lines(report))
                .contains("  and in 3 more places (-o json lists them all)")
                .last()
                .asString()
                .startsWith("9 errors, 0 warnings: ");
    }

    @Test
    void anInvalidCommandLineIsNoFinding() {
        var err = new StringWriter();

        assertThat(FakeGpuCommand.commandLine().setErr(new PrintWriter(err)).execute("check", "--strict"))
                .isEqualTo(1);
        assertThat(err.toString()).startsWith("fakegpu: name files with -f, or --from-cluster");
    }

    private static Document parsed(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    }
}
