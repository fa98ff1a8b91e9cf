package dev.fakegpu.evidence;

import java.util.List;
import java.util.Locale;

/** The common parts of both reports. */
final class ReportParts {

    private ReportParts() {}

    static void setup(Markdown report, Evidence.Setup setup) {
        report.add("| | |", "|---|---|");
        setup.versions()
                .forEach(version -> report.row(
                        version.substring(0, version.indexOf(' ')), version.substring(version.indexOf(' ') + 1)));
        report.row("machine", setup.machine());
    }

    static void failures(Markdown report, List<String> failures) {
        if (!failures.isEmpty()) {
            report.heading("## Not run");
            report.add("These parts failed, so the report is not complete:", "");
            failures.forEach(failure -> report.add("- " + failure.replace("\n", " ")));
        }
    }

    /** Adds the objects that all steps need, which are not printed with each step. */
    static void needed(Markdown report, String driver) {
        report.yaml(
                "The steps also need the DeviceClass, and for each run-N a namespace and nodes such as these",
                Manifests.deviceClass(driver) + "---\n" + Manifests.namespace("run-1") + "---\n"
                        + Manifests.node("run-1-node-0"));
    }

    /** Adds the table of the checks of a topic. */
    static void checks(Markdown report, Check.Topic topic, List<Check> checks) {
        report.heading("## " + topic.title());
        report.add(
                "| check | section of the KEP | the KEP says | expected | observed | |", "|---|---|---|---|---|---|");
        for (Check check : checks) {
            String id = check.agrees() ? "`" + check.id() + "`" : "[" + check.id() + "](#" + check.id() + ")";
            report.row(id, check.section(), check.says(), check.expected(), check.observed(), check.verdict());
        }
    }

    /** Adds a check that differs, with its steps. */
    static void difference(Markdown report, Check check) {
        report.heading("### " + check.id());
        report.add(
                "**The KEP** (" + check.section() + "): " + check.says(),
                "",
                "- Expected: " + check.expected(),
                "- Observed: " + check.observed(),
                "");
        report.yaml("Steps", check.steps());
    }

    static String number(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
