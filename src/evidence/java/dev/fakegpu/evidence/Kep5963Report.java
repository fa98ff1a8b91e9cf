package dev.fakegpu.evidence;

import dev.fakegpu.evidence.Check.Topic;
import dev.fakegpu.evidence.SchedulerCost.Setting;
import dev.fakegpu.evidence.SchedulerCost.Turn;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Writes {@code docs/evidence/kep-5963-v1.37.md}. */
final class Kep5963Report {

    private final Evidence evidence;
    private final Markdown report = new Markdown();

    private Kep5963Report(Evidence evidence) {
        this.evidence = evidence;
    }

    /** @param picture the file with the picture, beside the report */
    static List<String> lines(Evidence evidence, String picture) {
        var report = new Kep5963Report(evidence);
        report.head();
        ReportParts.failures(report.report, evidence.failures());
        report.differences();
        report.checks();
        report.skew();
        report.orders();
        report.slices();
        report.cost(picture);
        report.questions();
        return report.report.lines();
    }

    private void head() {
        report.add(
                "# KEP-5963, device compatibility groups, on Kubernetes 1.37",
                "",
                "`hack/evidence` writes this page; do not edit it. The command tries what [KEP-5963](https://www.kubernetes.dev/resources/keps/5963/) says on a",
                "real etcd, kube-apiserver and kube-scheduler. There are no kubelets and no drivers: nodes are only objects, and the command writes the",
                "slices as a driver would. A pod is *allocated* when kube-scheduler has allocated its claim and bound the pod, and *waits* when",
                "kube-scheduler has refused it. Before the first pod of a check, and after each change of a slice, the command waits until kube-scheduler",
                "has allocated a device of a slice that was stored later, so no pod waits only because kube-scheduler has not seen a slice yet.",
                "",
                "Each check has an expectation, which follows from the KEP's text, and an observation. *As the KEP says* means that the two are equal.",
                "");
        findings();
        ReportParts.setup(report, evidence.setup());
        report.heading("## Summary");
        report.add("| | run | as the KEP says | differ |", "|---|--:|--:|--:|");
        for (Topic topic : Topic.values()) {
            List<Check> of = of(topic);
            if (!of.isEmpty()) {
                count(
                        "[" + topic.title() + "](#" + anchor(topic.title()) + ")",
                        of.size(),
                        of.stream().filter(Check::agrees).count());
            }
        }
        List<SkewCell> run = evidence.skew().stream()
                .filter(cell -> !cell.found().equals("not run"))
                .toList();
        count(
                "[Version skew](#version-skew)",
                run.size(),
                run.stream().filter(cell -> cell.found().equals(cell.says())).count());
        count(
                "[The examples in all orders of arrival](#the-examples-in-all-orders-of-arrival)",
                evidence.orders().size(),
                evidence.orders().stream().filter(ArrivalOrder::agrees).count());
    }

    /** Prints one line for each difference, since the steps of a single one fill a screen. */
    private void findings() {
        List<Check> differing = differing();
        if (!differing.isEmpty()) {
            report.add("Differences:", "");
            differing.forEach(check -> report.add(
                    "- [" + check.id() + "](#" + check.id() + "): " + check.says() + " Observed: " + check.observed()));
            report.add("");
        }
    }

    /** The differences, with those in wording only at the end. */
    private List<Check> differing() {
        return evidence.differing().stream()
                .sorted(Comparator.comparing((Check check) -> check.id().equals(GroupChecks.MESSAGE))
                        .thenComparing(Check::topic))
                .toList();
    }

    private void count(String what, int run, long agree) {
        report.row(what, run, agree, run - agree);
    }

    private List<Check> of(Topic topic) {
        return evidence.checks().stream()
                .filter(check -> check.topic() == topic)
                .toList();
    }

    private static String anchor(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
    }

    // --- checks

    private void differences() {
        report.heading("## What the KEP says and 1.37 does not do");
        report.add("The steps are those that were run, without the DeviceClass, namespaces and nodes.", "");
        ReportParts.needed(report, Hardware.GPU);
        differing().forEach(check -> ReportParts.difference(report, check));
    }

    private void checks() {
        for (Topic topic : Topic.values()) {
            if (!of(topic).isEmpty()) {
                ReportParts.checks(report, topic, of(topic));
            }
        }
    }

    private void skew() {
        report.heading("## Version skew");
        report.add(
                "These are the cells of `hack/skew-lab` with kube-scheduler: one GPU, a pod that requests a MIG device, then a pod that requests a vGPU. The",
                "slices come from this project's operator, and *refused* means that its simulated kubelet refused to prepare the device, as a driver",
                "would. The outcomes have the KEP's names (Version Skew Strategy).",
                "",
                "| kube-apiserver | scheduler | groups stored | MIG pod | vGPU pod | observed outcome | outcome in the KEP | compared |",
                "|---|---|---|---|---|---|---|---|");
        evidence.skew()
                .forEach(cell -> report.row(
                        cell.server(),
                        cell.scheduler(),
                        cell.stored(),
                        cell.mig(),
                        cell.vgpu(),
                        cell.found(),
                        cell.says(),
                        cell.verdict()));
        List<SkewCell> notRun = evidence.skew().stream()
                .filter(cell -> cell.found().equals("not run"))
                .toList();
        if (notRun.stream().anyMatch(SkewCell::needsOldVersion)) {
            report.add(
                    "", "The cells that were not run need a version before 1.37: `hack/evidence --with-old v1.36.3`.");
        } else if (!notRun.isEmpty()) {
            report.add(
                    "", "*not run*: Kubernetes does not support a kube-scheduler that is newer than its API server.");
        }
    }

    private void orders() {
        report.heading("## The examples in all orders of arrival");
        report.add(
                "The devices are those of the KEP's examples, with the feature on. Pods are created one after the other, each with a claim for one device",
                "of a type. The expectation follows from the KEP's rule (Scheduler Changes, and counters), applied to the pods in this order. Example 2",
                "has no groups: both pods are allocated, and the driver would have to refuse one of them.",
                "",
                "| | order of arrival | expected to be allocated | allocated | waits | |",
                "|---|---|---|---|---|---|");
        for (ArrivalOrder order : evidence.orders()) {
            report.row(
                    order.example(),
                    String.join(", ", order.types()),
                    order.allocated(order.expected()),
                    order.allocated(order.observed()),
                    order.waiting(),
                    order.agrees() ? "as the KEP says" : "**differs**");
        }
    }

    // --- numbers

    private void slices() {
        report.heading("## Largest slices");
        if (evidence.slices().isEmpty()) {
            report.add("Not run.");
            return;
        }
        Evidence.Slices slices = evidence.slices().get();
        report.add(
                "Each limit was found by trying numbers on both sides of it. The KEP announces limits (Test Plan, Unit tests) but has no numbers.",
                "",
                "| | accepted | message for one more |",
                "|---|--:|---|");
        slices.limits().forEach(limit -> report.row(limit.of(), limit.accepted(), message(limit.refusal())));
        report.add("", "| `compatibilityGroups` | |", "|---|---|");
        slices.names()
                .forEach(name -> report.row(
                        "`[" + name.groups() + "]`", name.refusal().isEmpty() ? "accepted" : message(name.refusal())));
        LargestSlices.Weight weight = slices.weight();
        report.add(
                "",
                ("The largest slice that was stored has %d devices, each with 32 attributes and %d `consumesCounters` entries of %d counters and %d"
                                + " groups, and names of the maximum length.")
                        .formatted(weight.devices(), weight.sets(), weight.counters(), weight.groups()),
                "It has %s bytes of JSON, and without groups %s: groups are %s%% of it."
                        .formatted(
                                ReportParts.number(weight.with()),
                                ReportParts.number(weight.without()),
                                decimals(1, 100.0 * (weight.with() - weight.without()) / weight.with())));
    }

    private static String message(String refusal) {
        return "`"
                + refusal.replaceAll("(.)\\1{30,}", "$1…$1").replace('`', '\'').replaceFirst("(?s)^(.{160}).+", "$1…")
                + "`";
    }

    private void cost(String picture) {
        report.heading("## What groups cost kube-scheduler");
        if (evidence.cost().isEmpty()) {
            report.add("Not run.");
            return;
        }
        Evidence.Cost cost = evidence.cost().get();
        report.add(
                ("%s nodes, each with one GPU that is published as 7 devices: whole, 4 MIG devices, 2 vGPUs. One MIG device of each node is"
                                + " allocated already.")
                        .formatted(ReportParts.number(cost.nodes())),
                ("%d pods request a MIG device each, with three settings: feature off in kube-scheduler, on, and on with groups in all slices. Each"
                                + " setting has two turns, in the order")
                        .formatted(SchedulerCost.PODS),
                "of the table; each turn has a new kube-scheduler with `--kube-api-qps=2000 --kube-api-burst=4000`, which schedules %d other pods first."
                        .formatted(SchedulerCost.WARM_UP),
                "Between turns the pods and their claims are deleted. etcd, kube-apiserver, kube-scheduler and the command share the machine.",
                "",
                "- *CPU time*: of kube-scheduler's process, for each pod.",
                "- *Filter*: `" + SchedulerMetrics.FILTER + "{extension_point=\"Filter\"}`, average.",
                "- *Plugin*: `" + SchedulerMetrics.PLUGIN
                        + "{plugin=\"DynamicResources\", extension_point=\"Filter\"}`, average.",
                "- *Requests*: `rest_client_requests_total` of kube-scheduler, for each pod.",
                "- *Memory*: `process_resident_memory_bytes` after the turn. All turns have the same kube-apiserver.",
                "",
                "| setting | CPU time ms | Filter ms | plugin ms | requests | memory MiB | kube-apiserver: CPU time ms | memory MiB |",
                "|---|--:|--:|--:|--:|--:|--:|--:|");
        cost.turns()
                .forEach(turn -> report.row(
                        turn.setting().title(),
                        decimals(1, turn.processorMillis()),
                        decimals(2, millis(turn.filter())),
                        decimals(3, millis(turn.plugin())),
                        decimals(2, turn.requests()),
                        mebibytes(turn.memory()),
                        decimals(1, turn.serverMillis()),
                        mebibytes(turn.serverMemory())));
        ratios(cost.turns());
        report.add(
                "",
                "A ratio that is not further from 1 than the last row is within the noise.",
                "",
                "![CPU time of kube-scheduler for each pod, by setting](" + picture + ")");
    }

    private void ratios(List<Turn> turns) {
        report.add(
                "",
                "| ratio | CPU time | Filter | plugin | memory | kube-apiserver: CPU time | memory |",
                "|---|--:|--:|--:|--:|--:|--:|");
        ratio(
                "averages of both turns, feature on : off, no groups",
                of -> average(turns, SchedulerCost.ON, of) / average(turns, SchedulerCost.OFF, of));
        ratio(
                "averages of both turns, groups : no groups, feature on",
                of -> average(turns, SchedulerCost.GROUPS, of) / average(turns, SchedulerCost.ON, of));
        ratio("two turns with the same setting, at most", of -> spread(turns, of));
    }

    private void ratio(String title, ToDoubleFunction<ToDoubleFunction<Turn>> ratio) {
        report.row(
                title,
                decimals(2, ratio.applyAsDouble(Turn::processorMillis)),
                decimals(2, ratio.applyAsDouble(turn -> millis(turn.filter()))),
                decimals(2, ratio.applyAsDouble(turn -> millis(turn.plugin()))),
                decimals(2, ratio.applyAsDouble(Turn::memory)),
                decimals(2, ratio.applyAsDouble(Turn::serverMillis)),
                decimals(2, ratio.applyAsDouble(Turn::serverMemory)));
    }

    private static double average(List<Turn> turns, Setting setting, ToDoubleFunction<Turn> of) {
        return turns.stream()
                .filter(turn -> turn.setting().equals(setting))
                .mapToDouble(of)
                .average()
                .orElseThrow();
    }

    /** The largest ratio between turns with the same setting. */
    private static double spread(List<Turn> turns, ToDoubleFunction<Turn> of) {
        return Stream.of(SchedulerCost.OFF, SchedulerCost.ON, SchedulerCost.GROUPS)
                .map(setting -> turns.stream()
                        .filter(turn -> turn.setting().equals(setting))
                        .mapToDouble(of)
                        .summaryStatistics())
                .mapToDouble(values -> values.getMax() / values.getMin())
                .max()
                .orElseThrow();
    }

    private static String mebibytes(double bytes) {
        return decimals(0, bytes / (1 << 20));
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    private static String decimals(int count, double value) {
        return String.format(Locale.ROOT, "%." + count + "f", value);
    }

    // --- the KEP's questions

    private void questions() {
        report.heading("## Production readiness, test plan and graduation criteria");
        report.add(
                "This table has the KEP's questions and their answers. “Not answered by running” means that only people, source code or a"
                        + " production cluster can answer.",
                "",
                "| | question | answer |",
                "|---|---|---|");
        Questions.all()
                .forEach(question -> report.row(
                        question.topic(),
                        question.text(),
                        question.answer(evidence).strip()));
    }
}
