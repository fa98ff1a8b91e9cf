package dev.fakegpu.cli;

import dev.fakegpu.cli.input.CheckInput;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cluster.check.CheckReport;
import dev.fakegpu.cluster.check.CheckReportJson;
import dev.fakegpu.cluster.check.CheckReportText;
import dev.fakegpu.cluster.check.CheckRules;
import dev.fakegpu.cluster.check.Checker;
import dev.fakegpu.cluster.check.Input;
import dev.fakegpu.cluster.check.JUnitXml;
import dev.fakegpu.cluster.check.SarifLog;
import dev.fakegpu.cluster.check.Severity;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fakegpu check}: checks the slices and classes of any driver, and objects that users create. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Check the ResourceSlices and DeviceClasses of any driver against rules: limits of the API, pools that never become"
                    + " complete, counters and groups that permanently exclude devices, selectors that fail, and more.",
            "For claims, DeviceTaintRules, pods, workloads and nodes, reports what the API server would refuse.",
            "For FakeGpus, checks the slices that the operator would publish; ConfigMaps with the label fakegpu.dev/catalog=true add models."
                    + " Needs a cluster only with --from-cluster, which it only reads."
        },
        exitCodeList = {
            "0:no errors, and with --strict no warnings",
            "1:the command line or the input is invalid",
            "2:errors found, or warnings with --strict"
        },
        exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu check -f config/samples/08-custom-with-mixins/",
            "  fakegpu check --from-cluster --driver gpu.example.com -o sarif > fakegpu.sarif",
            "  fakegpu check --rules"
        })
final class CheckCommand implements Callable<Integer> {

    private static final int FOUND = 2;

    enum Format {
        text,
        json,
        sarif,
        junit
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "A file with objects in YAML or JSON: one, several documents, or a list. Repeat it for several files; - is standard input.")
    private List<String> files = List.of();

    @Option(
            names = "--from-cluster",
            description = "Check the ResourceSlices, DeviceClasses and Nodes of the cluster, too.")
    private boolean fromCluster;

    @Mixin
    private final ClusterConnection cluster = new ClusterConnection();

    @Mixin
    private final VersionOption version = new VersionOption();

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            description = "Check only slices of this driver, and classes and other objects that refer to it.")
    private @Nullable String driver;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.text;

    @Option(names = "--strict", description = "Exit with 2 if there are warnings.")
    private boolean strict;

    @Option(names = "--rules", description = "List the rules instead, as text or JSON.")
    private boolean rules;

    @Override
    public Integer call() {
        if (rules) {
            printRules();
            return ExitCode.OK;
        }
        if (files.isEmpty() && !fromCluster) {
            throw new ParameterException(spec.commandLine(), "name files with -f, or --from-cluster");
        }
        Severity failsFrom = strict ? Severity.WARNING : Severity.ERROR;
        CheckReport report = Checker.check(input());
        print(report, failsFrom);
        boolean failed = report.count(Severity.ERROR) > 0 || (strict && report.count(Severity.WARNING) > 0);
        return failed ? FOUND : ExitCode.OK;
    }

    private Input input() {
        PrintWriter err = spec.commandLine().getErr();
        Consumer<String> notes = note -> err.println("fakegpu: note: " + note);
        var given = new ArrayList<>(Manifests.readWithLines(files));
        if (fromCluster) {
            given.addAll(cluster.manifestsAndNodes(
                    List.of(ResourceSlice.class, DeviceClass.class),
                    why -> notes.accept("whether device plugins offer the same devices is not checked: " + why)));
        }
        given.forEach(manifest -> manifest.note(notes));
        Input all = CheckInput.of(
                given,
                version.or(() -> fromCluster ? cluster.version(notes) : KubernetesVersion.NEWEST),
                manifest -> err.println(
                        "fakegpu: " + manifest.title() + " has a kind that is not checked; it is left out"));
        Input input = driver == null ? all : all.ofDriver(driver);
        if (input.isEmpty()) {
            throw new InvalidInputException(
                    driver == null
                            ? "there is no object to check"
                            : "there is no object about driver " + driver + " to check");
        }
        return input;
    }

    private void print(CheckReport report, Severity failsFrom) {
        PrintWriter out = spec.commandLine().getOut();
        switch (format) {
            case text -> CheckReportText.lines(report).forEach(out::println);
            case json -> out.println(AnswerOutput.json(CheckReportJson.of(report)));
            case sarif -> out.println(AnswerOutput.json(SarifLog.of(report)));
            case junit -> out.print(JUnitXml.of(report, failsFrom));
        }
        out.flush();
    }

    private void printRules() {
        PrintWriter out = spec.commandLine().getOut();
        if (format == Format.json) {
            out.println(AnswerOutput.json(CheckReportJson.rules(CheckRules.all())));
        } else {
            CheckReportText.rules().forEach(out::println);
        }
        out.flush();
    }
}
