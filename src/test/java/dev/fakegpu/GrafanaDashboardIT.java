package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.testing.DocumentedMetrics;
import dev.fakegpu.testing.ProjectFiles;
import dev.fakegpu.testing.Promlint;
import dev.fakegpu.testing.Scrape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that Prometheus' parser accepts the queries of the dashboard and the alerts, and that their metrics and labels exist ({@code
 * MetricsE2E} compares the docs).
 */
class GrafanaDashboardIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The labels of dcgm-exporter's metrics. */
    private static final Set<String> DCGM_LABELS = Set.of("modelName", "Hostname", "gpu", "namespace", "pod");

    private final Map<String, Scrape.Family> documented = DocumentedMetrics.of("");

    @Test
    void everyQueryUsesMetricsAndLabelsThatExist() throws IOException {
        List<String> queries = queries();
        assertThat(queries).hasSizeGreaterThan(15);

        var metrics = new HashSet<String>();
        for (String answer : Promlint.read(queries)) {
            JSON.readTree(answer).get("metrics").properties().forEach(used -> {
                String name = used.getKey().replaceFirst("_bucket$", "");
                metrics.add(name);
                assertThat(documented).containsKey(name);
                assertThat(labels(name)).containsAll(values(used.getValue()));
            });
        }
        assertThat(metrics).contains("fakegpu_companion_refusals_total", "DCGM_FI_DEV_XID_ERRORS");
    }

    @Test
    void everyPanelHasATitleAPlaceAndTheChosenDataSource() throws IOException {
        var ids = new HashSet<Integer>();
        for (JsonNode panel : dashboard().get("panels")) {
            assertThat(panel.path("title").asText()).isNotEmpty();
            assertThat(ids.add(panel.get("id").asInt())).isTrue();
            assertThat(panel.at("/datasource/uid").asText()).isEqualTo("${datasource}");
            assertThat(panel.at("/gridPos/w").asInt()).isPositive();
        }
    }

    private Set<String> labels(String metric) {
        var labels =
                new HashSet<>(Objects.requireNonNull(documented.get(metric)).labels());
        labels.add("le");
        if (metric.startsWith("DCGM_")) {
            labels.addAll(DCGM_LABELS);
        }
        if (metric.equals("DCGM_FI_DEV_XID_ERRORS")) {
            labels.add("err_code");
        }
        return labels;
    }

    private static List<String> queries() throws IOException {
        var queries = new ArrayList<String>();
        for (JsonNode panel : dashboard().get("panels")) {
            panel.get("targets")
                    .forEach(target -> queries.add(target.get("expr").asText().replace("$__rate_interval", "5m")));
        }
        AlertsTest.alerts().forEach(alert -> queries.add(alert.get("expr").asText()));
        return queries;
    }

    private static JsonNode dashboard() throws IOException {
        return JSON.readTree(
                ProjectFiles.resolve("config/grafana/fakegpu-operator.json").toFile());
    }

    private static List<String> values(JsonNode array) {
        var values = new ArrayList<String>();
        array.forEach(value -> values.add(value.asText()));
        return values;
    }
}
