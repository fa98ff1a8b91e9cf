package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.check.SarifLog;
import dev.fakegpu.simulate.scenario.ScenarioRun.StepResult;
import java.util.List;

/** Writes the unmet expectations of scenarios as SARIF. */
public final class ScenarioSarif {

    private static final String RULE = "expectation";

    private ScenarioSarif() {}

    /** @param file the file of the scenario, to which the results are attached */
    public static ObjectNode of(String file, List<StepResult> results) {
        ObjectNode log = JsonNodeFactory.instance.objectNode();
        ObjectNode run = SarifLog.run(log, "fakegpu simulate");
        ObjectNode rule = run.withObject("/tool/driver").withArray("rules").addObject();
        rule.put("id", RULE);
        rule.putObject("shortDescription").put("text", "what a scenario expects is so");
        ArrayNode found = run.putArray("results");
        for (StepResult step : results) {
            step.checks().stream().filter(check -> !check.passed()).forEach(check -> {
                ObjectNode result = found.addObject();
                result.put("ruleId", RULE).put("ruleIndex", 0).put("level", "error");
                String why = check.why().isEmpty() ? "" : "; why: " + check.why();
                result.putObject("message")
                        .put(
                                "text",
                                "step %d: expected: %s; but: %s%s"
                                        .formatted(step.number(), check.expected(), check.actual(), why));
                SarifLog.location(result, file);
            });
        }
        return log;
    }
}
