package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.SimulationInput;
import dev.fakegpu.cli.input.StoredObjects;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.simulate.ClusterView;
import dev.fakegpu.simulate.ComparisonText;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.Timeline;
import dev.fakegpu.simulate.ViewText;
import dev.fakegpu.simulate.memory.ServerGates;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.scenario.ScenarioJUnit;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import dev.fakegpu.simulate.scenario.ScenarioRun;
import dev.fakegpu.simulate.scenario.ScenarioSarif;
import dev.fakegpu.simulate.scenario.ScenarioText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fakegpu simulate}: plays manifests and scenarios on a cluster in memory. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Play manifests or a scenario on a cluster in memory: publish, allocate and prepare with the operator's own code, in virtual"
                    + " time, and report what happens and why.",
            "A scenario is a file of kind Scenario with steps and expectations. Other objects are applied before its first step. Needs"
                    + " a cluster only with --from-cluster."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all expectations are met",
            "1:the command line or the input is invalid",
            "2:an expectation of the scenario is not met"
        },
        exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu simulate -f config/samples/03-groups-keep-incompatible-apart/",
            "  fakegpu simulate -f config/samples/kep-5963.scenario.yaml",
            "  fakegpu simulate -f config/samples/kep-5963.scenario.yaml -o junit > kep-5963.xml",
            "  fakegpu simulate -f config/samples/01-mig-devices-share-a-gpu/ -o state > state.yaml",
            "  fakegpu simulate -f config/samples/03-groups-keep-incompatible-apart/ --compare gate=On,Off",
            "  fakegpu simulate -f config/samples/03-groups-keep-incompatible-apart/ --from-cluster --scheduler kube"
        })
final class SimulateCommand implements Callable<Integer> {

    private static final int NOT_MET = 2;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    enum Format {
        text,
        wide,
        json,
        yaml,
        timeline,
        state,
        junit,
        sarif
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private Manifests manifests = new Manifests();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = {
                "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
                "state is the objects at the end, for --from of other commands; junit and sarif report a scenario's expectations."
            })
    private Format format = Format.text;

    @Option(
            names = "--free",
            description = "Also print how many more claims for one device of each DeviceClass and partition type fit.")
    private boolean free;

    @Option(
            names = "--from-cluster",
            description = "Start with a copy of the cluster, which is only read; the files are applied to the copy.")
    private boolean fromCluster;

    @Mixin
    private final SimulatedWorlds worlds = new SimulatedWorlds();

    @Mixin
    private final ClusterSource source = new ClusterSource();

    @Override
    public Integer call() {
        List<Manifest> given = manifests.read();
        try {
            List<SimulatedWorlds.World> played =
                    worlds.of((mixins, server, notes) -> input(given, mixins, server, notes), this::note);
            return worlds.areCompared() ? compare(played) : play(played.get(0), scenarioFiles(given));
        } catch (SimulationException e) {
            throw InvalidInputException.about(given, e.messages());
        }
    }

    private SimulationInput input(List<Manifest> given, MixinsGate mixins, ServerGates server, Consumer<String> notes) {
        var input = SimulationInput.of(given, mixins, server, notes);
        if (input.scenarios().isEmpty() && (format == Format.junit || format == Format.sarif)) {
            throw new InvalidInputException(
                    "-o " + format + " is about the expectations of scenarios, and there is no Scenario in the files");
        }
        return input;
    }

    private static String scenarioFiles(List<Manifest> given) {
        return given.stream()
                .filter(manifest -> manifest.kind().equals("Scenario"))
                .map(Manifest::source)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private void note(String text) {
        spec.commandLine().getErr().println("fakegpu: " + text);
    }

    /** The initial objects of the cluster. */
    private ClusterObjects stored(MixinsGate mixins) {
        ClusterObjects stored = fromCluster || source.isFromFiles()
                ? source.whole(spec.commandLine().getErr(), mixins).snapshot().objects()
                : ClusterObjects.NONE;
        stored.all().forEach(object -> StoredObjects.createdAt(Simulation.START, object));
        return stored;
    }

    private static Simulation simulation(SimulationOptions options, ClusterObjects stored) {
        var simulation = new Simulation(options.startedAs(new ClusterSnapshot(stored)), stored.all());
        if (!stored.isComplete(ObjectKind.NAMESPACES)) {
            simulation.namespacesAreUnknown();
        }
        return simulation;
    }

    /** @param files the names of the scenario files */
    private int play(SimulatedWorlds.World world, String files) {
        SimulationInput input = world.input();
        PrintWriter out = spec.commandLine().getOut();
        boolean isText = format == Format.text || format == Format.wide;
        var simulation = simulation(world.options(), stored(world.mixins()));
        var results = play(input, simulation, isText ? lines -> print(out, lines) : lines -> {});
        simulation.notes().forEach(each -> note("note: " + each));
        var report = new SimulationReport(simulation, results);
        switch (format) {
            case text, wide -> {
                if (input.scenarios().isEmpty()) {
                    ViewText.lines(simulation.view()).forEach(out::println);
                } else {
                    out.println(ScenarioText.summary(results));
                }
                if (format == Format.wide) {
                    ViewText.devices(simulation.view()).forEach(out::println);
                }
                if (free) {
                    report.free().forEach(out::println);
                }
            }
            case timeline -> Timeline.lines(simulation).forEach(out::println);
            case json -> out.println(report.json());
            case yaml -> out.print(report.yaml());
            case state -> out.print(report.state());
            case junit -> out.print(ScenarioJUnit.of(files, results));
            case sarif -> out.println(AnswerOutput.json(ScenarioSarif.of(files, results)));
        }
        out.flush();
        return results.stream().allMatch(ScenarioText::isMet) ? ExitCode.OK : NOT_MET;
    }

    private static void print(PrintWriter out, List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    /** @param progress receives lines of text as soon as they are available */
    private static List<ScenarioRun.StepResult> play(
            SimulationInput input, Simulation simulation, Consumer<List<String>> progress) {
        simulation.apply(input.objects(), LONGEST);
        var results = new ArrayList<ScenarioRun.StepResult>();
        var run = new ScenarioRun(simulation);
        int number = 0;
        for (ScenarioManifest scenario : input.scenarios()) {
            for (ScenarioManifest.Step step : scenario.steps()) {
                // Expectations without a title belong to the previous step.
                number += step.title().isEmpty() && number > 0 ? 0 : 1;
                progress.accept(ScenarioText.heading(number, step));
                var result = run.play(number, step);
                results.add(result);
                progress.accept(ScenarioText.lines(result));
            }
        }
        return results;
    }

    private int compare(List<SimulatedWorlds.World> compared) {
        boolean met = true;
        var views = new ArrayList<ClusterView>();
        for (SimulatedWorlds.World world : compared) {
            var simulation = simulation(world.options(), stored(world.mixins()));
            met &= play(world.input(), simulation, lines -> {}).stream().allMatch(ScenarioText::isMet);
            views.add(simulation.view());
        }
        PrintWriter out = spec.commandLine().getOut();
        new ComparisonText(
                        compared.get(0).title(), views.get(0), compared.get(1).title(), views.get(1))
                .lines()
                .forEach(out::println);
        out.flush();
        return met ? ExitCode.OK : NOT_MET;
    }
}
