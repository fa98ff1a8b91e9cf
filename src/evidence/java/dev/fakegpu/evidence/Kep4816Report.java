package dev.fakegpu.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Writes {@code docs/evidence/kep-4816-v1.36.md}. Arguments: the file, the program kube-scheduler, its version, then the versions of the
 * programs, each as name and version. Exits with 1 if a part could not be run.
 */
final class Kep4816Report {

    private Kep4816Report() {}

    public static void main(String... arguments) throws IOException {
        System.out.println("Prioritized lists");
        var setup =
                new Evidence.Setup(List.of(Arrays.copyOfRange(arguments, 3, arguments.length)), EvidenceRun.machine());
        var findings = new Findings();
        findings.attempt("a control plane", () -> {
            try (var lab = Lab.withLists(Path.of(arguments[1]), arguments[2])) {
                new ListChecks(lab, findings).run();
            }
        });
        Files.write(Path.of(arguments[0]), lines(Evidence.ofChecks(setup, findings)));
        System.exit(findings.failures().isEmpty() ? 0 : 1);
    }

    static List<String> lines(Evidence evidence) {
        var report = new Markdown();
        report.add(
                "# KEP-4816, prioritized list, with the feature switched",
                "",
                "`hack/evidence --only lists` writes this page; do not edit it. It has the upgrade test of [KEP-4816](https://www.kubernetes.dev/resources/keps/4816/) on",
                "a real etcd, kube-apiserver and kube-scheduler of the last version in which the feature can be switched; `--with-old v1.35.4` runs an earlier one.",
                "[Prioritized lists](../prioritized-list.md#switched-off-and-on-again) also has what kube-controller-manager does.",
                "");
        ReportParts.setup(report, evidence.setup());
        ReportParts.failures(report, evidence.failures());
        ReportParts.checks(report, Check.Topic.LISTS, evidence.checks());
        evidence.differing().forEach(check -> ReportParts.difference(report, check));
        return report.lines();
    }
}
