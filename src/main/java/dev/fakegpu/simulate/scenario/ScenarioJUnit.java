package dev.fakegpu.simulate.scenario;

import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import dev.fakegpu.simulate.scenario.ScenarioRun.StepResult;
import dev.fakegpu.util.JUnitWriter;
import java.util.List;
import javax.xml.stream.XMLStreamException;

/** Writes the results of scenarios as JUnit XML, with a test case for each expectation and for each step that could not be played. */
public final class ScenarioJUnit {

    private final JUnitWriter to;

    private ScenarioJUnit(JUnitWriter to) {
        this.to = to;
    }

    /** @param name the name of the suite, such as the file of the scenario */
    public static String of(String name, List<StepResult> results) {
        return JUnitWriter.document(
                "fakegpu simulate",
                to -> to.suite(
                        name, count(results, false), count(results, true), () -> new ScenarioJUnit(to).cases(results)));
    }

    private void cases(List<StepResult> results) throws XMLStreamException {
        String title = "";
        for (StepResult result : results) {
            title = result.title().isEmpty() ? title : result.title();
            for (Check check : result.checks()) {
                testCase(result.number() + ". " + title, check);
            }
        }
    }

    private static long count(List<StepResult> results, boolean failedOnly) {
        return results.stream()
                .flatMap(result -> result.checks().stream())
                .filter(check -> !failedOnly || !check.passed())
                .count();
    }

    private void testCase(String step, Check check) throws XMLStreamException {
        if (check.passed()) {
            to.passed(step, check.expected());
            return;
        }
        to.said(step, check.expected(), "failure", () -> {
            to.attribute("message", check.actual());
            to.text(JUnitWriter.safe(check.why()));
        });
    }
}
