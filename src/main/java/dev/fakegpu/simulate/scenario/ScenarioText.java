package dev.fakegpu.simulate.scenario;

import dev.fakegpu.simulate.ViewText;
import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import dev.fakegpu.simulate.scenario.ScenarioRun.StepResult;
import java.util.ArrayList;
import java.util.List;

/** Formats the results of a scenario as text for terminals of 120 columns. */
public final class ScenarioText {
    private ScenarioText() {}

    /** Whether all expectations of the step are met. */
    public static boolean isMet(StepResult result) {
        return result.checks().stream().allMatch(Check::passed);
    }

    /** The heading of a step; empty for expectations without a name. */
    public static List<String> heading(int number, ScenarioManifest.Step step) {
        return step.title().isEmpty() ? List.of() : ViewText.wrap(number + ". " + step.title(), "", "   ");
    }

    /** The pods that were evicted in a step and the results of its checks; after expectations, also the claims. */
    public static List<String> lines(StepResult result) {
        var lines = new ArrayList<String>();
        result.evictions().forEach(each -> lines.addAll(ViewText.wrap(ViewText.sentence(each), "   ", "     ")));
        result.checks().forEach(check -> lines.addAll(lines(result, check)));
        if (!result.checks().isEmpty()) {
            ViewText.table(result.view()).forEach(line -> lines.add("     " + line));
        }
        return lines;
    }

    private static List<String> lines(StepResult result, Check check) {
        var lines = new ArrayList<String>();
        if (check.passed()) {
            lines.addAll(ViewText.wrap(check.actual(), "   ✔ ", "     "));
        } else {
            lines.addAll(ViewText.wrap(
                    "step %s: expected: %s; but: %s".formatted(result.number(), check.expected(), check.actual()),
                    "   ✘ ",
                    "     "));
        }
        if (!check.why().isEmpty()) {
            lines.addAll(ViewText.wrap("why: " + check.why(), "     ", "     "));
        }
        return lines;
    }

    /** Formats a result in one line. */
    public static String summary(List<StepResult> results) {
        long failed = results.stream()
                .flatMap(result -> result.checks().stream())
                .filter(check -> !check.passed())
                .count();
        long all = results.stream().mapToLong(result -> result.checks().size()).sum();
        if (all == 0) {
            return "No expectations.";
        }
        if (all == 1) {
            return failed == 0 ? "The expectation is met." : "The expectation is not met.";
        }
        return failed == 0
                ? "All %s expectations are met.".formatted(all)
                : "%s of %s expectations are not met.".formatted(failed, all);
    }
}
