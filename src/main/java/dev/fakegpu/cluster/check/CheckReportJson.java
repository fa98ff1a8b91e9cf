package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** A report as JSON. Fields may be added, but not renamed or removed. */
public final class CheckReportJson {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private CheckReportJson() {}

    public static ObjectNode of(CheckReport report) {
        ObjectNode json = JSON.objectNode()
                .put("errors", report.count(Severity.ERROR))
                .put("warnings", report.count(Severity.WARNING))
                .put("rules", report.rules().size())
                .put("slices", report.count(Scope.SLICE))
                .put("pools", report.count(Scope.POOL))
                .put("classes", report.count(Scope.CLASS))
                .put("objects", report.count(Scope.OBJECT));
        ArrayNode findings = json.putArray("findings");
        report.findings().forEach(finding -> finding(finding, findings.addObject()));
        return json;
    }

    private static void finding(Violation finding, ObjectNode json) {
        json.put("rule", finding.rule().name())
                .put("severity", finding.rule().severity().toString())
                .put("file", finding.where().file());
        if (finding.where().line() > 0) {
            json.put("line", finding.where().line());
        }
        json.put("object", finding.where().object())
                .put("path", finding.where().path())
                .put("device", finding.where().device())
                .put("message", finding.message())
                .put("why", finding.rule().why())
                .put("fix", finding.rule().fix())
                .put("source", finding.rule().source());
    }

    /** The rules as a list. */
    public static ArrayNode rules(List<Rule> rules) {
        ArrayNode json = JSON.arrayNode();
        rules.forEach(rule -> json.addObject()
                .put("rule", rule.name())
                .put("severity", rule.severity().toString())
                .put("scope", rule.scope().toString())
                .put("why", rule.why())
                .put("fix", rule.fix())
                .put("source", rule.source()));
        return json;
    }
}
