package dev.fakegpu.evidence;

import dev.fakegpu.evidence.Check.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Writes {@code docs/evidence/kep-5075-v1.37.md}. Arguments: the file, the program kube-scheduler, then the versions of the programs, each
 * as name and version. Exits with 1 if a part could not be run.
 */
final class Kep5075Report {

    private Kep5075Report() {}

    public static void main(String... arguments) throws IOException {
        System.out.println("Consumable capacity");
        var setup =
                new Evidence.Setup(List.of(Arrays.copyOfRange(arguments, 2, arguments.length)), EvidenceRun.machine());
        var findings = new Findings();
        findings.attempt("a control plane", () -> {
            try (var lab = Lab.withShares(Path.of(arguments[1]))) {
                new ShareChecks(lab, findings).run();
            }
        });
        Files.write(Path.of(arguments[0]), lines(Evidence.ofChecks(setup, findings)));
        System.exit(findings.failures().isEmpty() ? 0 : 1);
    }

    static List<String> lines(Evidence evidence) {
        var report = new Markdown();
        report.add(
                "# KEP-5075, consumable capacity, on Kubernetes 1.37",
                "",
                "`hack/evidence --only shares` writes this page; do not edit it. The command tries what [KEP-5075](https://www.kubernetes.dev/resources/keps/5075/) says about",
                "rollback, version skew and changes of devices on a real etcd, kube-apiserver and kube-scheduler, as for",
                "[KEP-5963](kep-5963-v1.37.md). [Consumable capacity](../consumable-capacity.md) has the user stories and the largest slice.",
                "");
        if (!evidence.differing().isEmpty()) {
            report.add("Differences:", "");
            evidence.differing()
                    .forEach(check -> report.add("- [%s](#%s): %s Observed: %s"
                            .formatted(check.id(), check.id(), check.says(), check.observed())));
            report.add("");
        }
        ReportParts.setup(report, evidence.setup());
        ReportParts.failures(report, evidence.failures());
        for (Topic topic : List.of(Topic.SHARES, Topic.SHARE_UPDATES)) {
            ReportParts.checks(
                    report,
                    topic,
                    evidence.checks().stream()
                            .filter(check -> check.topic() == topic)
                            .toList());
        }
        report.heading("## What the KEP says and 1.37 does not do");
        report.add("The steps are those that were run, without the DeviceClass, namespaces and nodes.", "");
        ReportParts.needed(report, SharedNic.DRIVER);
        evidence.differing().forEach(check -> ReportParts.difference(report, check));
        return report.lines();
    }
}
