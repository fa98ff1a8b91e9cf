package dev.fakegpu.evidence;

import java.util.List;
import java.util.Map;

/** Writes {@code docs/evidence/kep-5677-v1.37.md}. */
final class Kep5677Report {

    /** Possible remedies where an answer differs. */
    private static final Map<String, String> HELP = Map.of(
            "status-groups",
            "`allocatable` could leave out devices that share no group with what is allocated on their counter set: the controller has the slices and"
                    + " knows which devices are allocated. Or the KEP could say that groups are not counted.",
            "status-groups-of-one-type",
            "The greedy count could keep the intersection of groups for each counter set, as the allocator does, beside the counters.",
            "status-two-gpus",
            "Devices of one type could be compared by what they consume, without the name of the counter set: the devices are already counted"
                    + " one by one. See `status-pool-for-each` for what a driver can do until then.",
            "status-taint",
            "`allocatable` could leave out devices with a taint `NoSchedule` or `NoExecute`; `unavailableDevices` counts them already.");

    private Kep5677Report() {}

    static List<String> lines(Evidence evidence) {
        var report = new Markdown();
        report.add(
                "# KEP-5677, ResourcePoolStatusRequest, on Kubernetes 1.37",
                "",
                "`hack/evidence` writes this page; do not edit it. The answer to a ResourcePoolStatusRequest ([KEP-5677](https://www.kubernetes.dev/resources/keps/5677/))",
                "says how many devices of each type of partition are `allocatable`. The command asked a real kube-controller-manager, and then created",
                "pods, one after the other, until kube-scheduler refused one: this is how many devices it *really allocates*. The gates",
                "`DRAResourcePoolStatus`, `DRAPartitionableDevicesType` and `DRADeviceCompatibilityGroups` are on. The KEP defines `allocatable` by counters",
                "(Status Fields); the differences come from what this definition leaves out.",
                "");
        if (!evidence.differing().isEmpty()) {
            report.add("Differences:", "");
            evidence.differing().forEach(check -> report.add(finding(check)));
            report.add("");
        }
        ReportParts.setup(report, evidence.setup());
        ReportParts.failures(report, evidence.failures());
        report.heading("## What the request says, and what kube-scheduler allocates");
        report.add("| check | | kube-scheduler really allocates | the request says | |", "|---|---|---|---|---|");
        for (Check check : evidence.checks()) {
            String id = check.agrees() ? "`" + check.id() + "`" : "[" + check.id() + "](#" + check.id() + ")";
            report.row(
                    id, check.says(), check.expected(), check.observed(), check.agrees() ? "the same" : "**differs**");
        }
        report.heading("## What the request leaves out");
        report.add("The steps are those that were run, without the DeviceClass, namespaces and nodes.", "");
        ReportParts.needed(report, Hardware.GPU);
        evidence.differing().forEach(check -> difference(report, check));
        return report.lines();
    }

    private static String finding(Check check) {
        return "- [%1$s](#%1$s): %2$s kube-scheduler really allocates %3$s; the request says %4$s"
                .formatted(check.id(), check.says(), check.expected(), check.observed());
    }

    private static void difference(Markdown report, Check check) {
        report.heading("### " + check.id());
        report.add(
                check.says(),
                "",
                "- kube-scheduler really allocates: " + check.expected(),
                "- The request says: " + check.observed(),
                "");
        String help = HELP.getOrDefault(check.id(), "");
        if (!help.isEmpty()) {
            report.add("What would help: " + help, "");
        }
        report.yaml("Steps", check.steps());
    }
}
