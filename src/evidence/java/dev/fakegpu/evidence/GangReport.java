package dev.fakegpu.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Writes {@code docs/evidence/gangs-v1.37.md}. Arguments: the file, then the versions of the programs, each as name and version. */
final class GangReport {

    private GangReport() {}

    public static void main(String... arguments) throws IOException {
        System.out.println("Gangs");
        var setup =
                new Evidence.Setup(List.of(Arrays.copyOfRange(arguments, 1, arguments.length)), EvidenceRun.machine());
        Files.write(Path.of(arguments[0]), lines(setup, GangChecks.run()));
    }

    private static List<String> lines(Evidence.Setup setup, List<GangChecks.Result> results) {
        var report = new Markdown();
        report.add(
                "# Gangs: kube-scheduler 1.37 and the companion",
                "",
                "`hack/evidence --only gangs` writes this page; do not edit it. Each gang was created for kube-scheduler on a real control plane with the gates",
                "`" + GangChecks.GATES + "`, and for the companion in a",
                "simulation. The table shows where the pods were after nothing had changed for some seconds. If a pod waits *without a condition*, kube-scheduler",
                "has not queued it, and its status does not say why. [The companion's rules](../companion.md#gangs) explain the differences.",
                "");
        ReportParts.setup(report, setup);
        report.heading("## The same objects, two schedulers");
        report.add("| gang | kube-scheduler | companion |", "|---|---|---|");
        results.forEach(
                result -> report.add("%s %s | %s |".formatted(cell(result.row()), result.real(), result.companion())));
        report.heading("## The objects");
        report.add("The DeviceClass `gang.example.com` selects all devices of the driver `gang.example.com`.", "");
        for (var result : results) {
            report.heading("### " + result.row().id());
            report.yaml(result.row().says(), objects(result.row()));
        }
        return report.lines();
    }

    /** The start of a row of the table. */
    static String cell(GangRow row) {
        return "| [%s](#%s) |".formatted(row.says(), row.id());
    }

    static String objects(GangRow row) {
        return String.join("---\n", row.objects()).replace("  schedulerName: $scheduler\n", "");
    }
}
