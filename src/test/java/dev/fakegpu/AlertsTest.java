package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.testing.DocumentedMetrics;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Tests the alerts. {@code docs/alerts.md} says what to do about each of them. */
class AlertsTest {

    private static final Pattern METRIC = Pattern.compile("\\b(?:fakegpu|DCGM)_\\w+");

    @Test
    void everyAlertLinksToItsSectionOfThePage() throws IOException {
        String page = Files.readString(ProjectFiles.resolve("docs/alerts.md"));

        assertThat(alerts()).hasSize(5).allSatisfy(alert -> {
            String name = alert.get("alert").asText();
            assertThat(page).contains("\n## " + name + "\n");
            assertThat(alert.at("/annotations/runbook_url").asText())
                    .endsWith("/docs/alerts.md#" + name.toLowerCase(Locale.ROOT));
            assertThat(alert.at("/annotations/summary").asText()).endsWith(".");
        });
    }

    @Test
    void everyAlertUsesMetricsThatExist() {
        var documented = DocumentedMetrics.of("");

        assertThat(alerts())
                .allSatisfy(alert -> assertThat(
                                METRIC.matcher(alert.get("expr").asText()).results())
                        .isNotEmpty()
                        .allSatisfy(metric -> assertThat(documented).containsKey(metric.group())));
    }

    /** {@code promtool test rules} runs the series. */
    @Test
    void everyAlertHasATestOfPromtool() throws IOException {
        String tests = Files.readString(ProjectFiles.resolve("src/test/resources/prometheus-rule/tests.yaml"));

        assertThat(alerts())
                .allSatisfy(alert -> assertThat(tests)
                        .contains("alertname: " + alert.get("alert").asText())
                        .contains(alert.at("/annotations/description").asText()));
    }

    static List<JsonNode> alerts() {
        try {
            JsonNode rules = Serialization.yamlMapper()
                    .readTree(ProjectFiles.resolve("config/prometheus-rule/prometheus_rule.yaml")
                            .toFile())
                    .at("/spec/groups/0/rules");
            return StreamSupport.stream(rules.spliterator(), false).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
