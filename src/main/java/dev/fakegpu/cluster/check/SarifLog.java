package dev.fakegpu.cluster.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A report in the Static Analysis Results Interchange Format, SARIF 2.1.0, which code hosts show next to changes. */
public final class SarifLog {

    private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

    private SarifLog() {}

    public static ObjectNode of(CheckReport report) {
        ObjectNode log = JsonNodeFactory.instance.objectNode();
        ObjectNode run = run(log, "fakegpu check");
        ArrayNode rules = run.withObject("/tool/driver").withArray("rules");
        report.rules().forEach(rule -> rule(rule, rules.addObject()));
        ArrayNode results = run.putArray("results");
        report.findings().forEach(finding -> result(finding, report.rules(), results.addObject()));
        return log;
    }

    /** Begins an empty log with one run, to which rules and results are added later. */
    public static ObjectNode run(ObjectNode log, String tool) {
        log.put("$schema", SCHEMA).put("version", "2.1.0");
        ObjectNode run = log.putArray("runs").addObject();
        run.putObject("tool").putObject("driver").put("name", tool).putArray("rules");
        return run.put("columnKind", "utf16CodeUnits");
    }

    /** Attaches a result to a file. */
    public static ObjectNode location(ObjectNode result, String file) {
        ObjectNode location = result.putArray("locations").addObject();
        location.putObject("physicalLocation").putObject("artifactLocation").put("uri", uri(file));
        return location;
    }

    private static void rule(Rule rule, ObjectNode json) {
        json.put("id", rule.name());
        json.putObject("shortDescription").put("text", rule.name().replace('-', ' '));
        json.putObject("fullDescription").put("text", rule.why());
        json.putObject("help").put("text", "%s %s Source: %s".formatted(rule.why(), rule.fix(), rule.source()));
        json.putObject("defaultConfiguration").put("level", rule.severity().toString());
    }

    private static void result(Violation finding, List<Rule> rules, ObjectNode json) {
        Where where = finding.where();
        json.put("ruleId", finding.rule().name())
                .put("ruleIndex", rules.indexOf(finding.rule()))
                .put("level", finding.rule().severity().toString());
        String place = where.path() + (where.device().isEmpty() ? "" : " (" + where.device() + ")");
        json.putObject("message").put("text", "%s: %s: %s".formatted(where.object(), place, finding.message()));
        ObjectNode location = location(json, where.file());
        if (where.line() > 0) {
            location.withObject("/physicalLocation").putObject("region").put("startLine", where.line());
        }
        location.putArray("logicalLocations")
                .addObject()
                .put("fullyQualifiedName", where.object() + "/" + where.path())
                .put("kind", "object");
    }

    /** Returns a relative reference; characters that URIs do not allow are encoded. */
    private static String uri(String file) {
        return Arrays.stream(file.split("/", -1))
                .map(segment -> URLEncoder.encode(segment, UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}
