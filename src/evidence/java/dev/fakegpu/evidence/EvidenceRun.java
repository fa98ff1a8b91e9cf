package dev.fakegpu.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Tests the statements of KEP-5963 and KEP-5677, and writes reports about the observations.
 *
 * <p>Arguments: the file for the report about KEP-5963, beside which its picture and the report about KEP-5677 are written; the program
 * kube-scheduler; the number of nodes for measuring the cost of groups; a file with the cells of {@code hack/skew-lab}, which is empty if
 * that failed; then the versions of the programs, each as name and version. Exits with 1 if a part could not be run.
 */
final class EvidenceRun {

    private static final int ARGUMENTS = 4;

    private final Path program;
    private final int nodes;
    private final Findings findings = new Findings();
    private List<ArrivalOrder> orders = List.of();
    private Optional<Evidence.Slices> slices = Optional.empty();
    private Optional<Evidence.Cost> cost = Optional.empty();

    private EvidenceRun(Path program, int nodes) {
        this.program = program;
        this.nodes = nodes;
    }

    public static void main(String... arguments) throws IOException {
        var file = Path.of(arguments[0]).toAbsolutePath();
        var run = new EvidenceRun(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        List<String> cells = Files.readAllLines(Path.of(arguments[3]));
        var setup = new Evidence.Setup(List.of(Arrays.copyOfRange(arguments, ARGUMENTS, arguments.length)), machine());
        List<String> failures = run.kep5963(file, setup, cells);
        failures.addAll(run.kep5677(file.resolveSibling("kep-5677-v1.37.md"), setup));
        failures.forEach(failure -> System.err.println("evidence: not run: " + failure));
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    static String machine() {
        return "%d processors, %s %s, %s"
                .formatted(
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("os.arch"));
    }

    private List<String> kep5963(Path file, Evidence.Setup setup, List<String> cells) throws IOException {
        if (cells.isEmpty()) {
            findings.failures().add("version skew: hack/skew-lab failed");
        }
        findings.attempt("a control plane", this::onControlPlane);
        findings.attempt("without DRAPartitionableDevices", this::withoutCounters);
        findings.attempt("what groups cost kube-scheduler", this::measure);
        var evidence = new Evidence(
                setup, findings.checks(), SkewCell.ofKubeScheduler(cells), orders, slices, cost, findings.failures());
        var failures = new ArrayList<>(findings.failures());
        Questions.all().stream()
                .flatMap(question -> question.checks().stream())
                .distinct()
                .filter(id -> evidence.check(id).isEmpty())
                .forEach(id -> failures.add(id + ": no check has this name"));
        String picture = file.getFileName().toString().replaceFirst("\\.md$", "") + "-cost.svg";
        Files.createDirectories(file.getParent());
        Files.write(file, Kep5963Report.lines(evidence, picture));
        if (cost.isPresent()) {
            Files.write(file.resolveSibling(picture), CostChart.svg(cost.get().turns()));
        }
        return failures;
    }

    private void onControlPlane() {
        try (var lab = Lab.off(program)) {
            System.out.println("Feature off, on, upgrade, downgrade");
            var gates = new GateChecks(lab, findings);
            findings.attempt("feature gates", () -> gates.run(() -> new GroupChecks(lab, findings).run()));
            lab.gates(true, true);
            System.out.println("The examples in all orders of arrival");
            findings.attempt("the examples", () -> orders = ArrivalOrder.play(lab));
            System.out.println("API server or etcd unavailable");
            findings.attempt("API server or etcd unavailable", new AwayChecks(lab, findings)::run);
            System.out.println("Largest slices");
            findings.attempt("largest slices", () -> slices = Optional.of(largest(lab)));
        }
    }

    private void withoutCounters() {
        System.out.println("Without DRAPartitionableDevices");
        DependencyChecks.refusals(program, findings);
        try (var lab = Lab.withoutCounters(program)) {
            DependencyChecks.pods(lab, findings);
        }
    }

    private static Evidence.Slices largest(Lab lab) {
        var largest = new LargestSlices(lab);
        List<SliceLimit> limits = largest.limits();
        return new Evidence.Slices(limits, largest.names(), largest.weight(limits));
    }

    private void measure() {
        System.out.println("What groups cost kube-scheduler");
        try (var lab = Lab.on(program)) {
            var turns = new SchedulerCost(lab, nodes, findings).measure();
            cost = Optional.of(new Evidence.Cost(nodes, turns));
        }
    }

    private List<String> kep5677(Path file, Evidence.Setup setup) {
        System.out.println("ResourcePoolStatusRequest");
        var status = new Findings();
        status.attempt("a control plane", () -> {
            try (var lab = Lab.withPoolStatus(program)) {
                new PoolStatusChecks(lab, status).run();
            }
        });
        var evidence = new Evidence(
                setup, status.checks(), List.of(), List.of(), Optional.empty(), Optional.empty(), status.failures());
        try {
            Files.write(file, Kep5677Report.lines(evidence));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return status.failures();
    }
}
