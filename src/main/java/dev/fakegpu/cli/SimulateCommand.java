package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.schedule.CompanionOptions;
import dev.fakegpu.simulate.ComparisonText;
import dev.fakegpu.simulate.ScenarioManifest;
import dev.fakegpu.simulate.ScenarioRun;
import dev.fakegpu.simulate.ScenarioText;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationException;
import dev.fakegpu.simulate.Timeline;
import dev.fakegpu.simulate.ViewText;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
                    + " time, and say what happens and why.",
            "A scenario is a file of kind Scenario with steps and expectations. Other objects are applied before its first step. Needs"
                    + " no cluster."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:played, and all expectations are met",
            "1:the command line or the input is invalid",
            "2:an expectation of the scenario is not met"
        },
        exitCodeOnInvalidInput = ExitCode.SOFTWARE,
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu simulate -f config/samples/03-groups-keep-incompatible-apart/",
            "  fakegpu simulate -f config/samples/kep-5963.scenario.yaml",
            "  fakegpu simulate -f config/samples/03-groups-keep-incompatible-apart/ --compare gate=On,Off"
        })
final class SimulateCommand implements Callable<Integer> {

    private static final int NOT_MET = 2;
    private static final Set<String> WORKLOADS = Set.of("Pod", "Deployment", "Job", "ResourceClaim");
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration BINDING_TIMEOUT = Duration.ofMinutes(10);

    enum Format {
        text,
        json,
        yaml,
        timeline
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
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.text;

    @Option(
            names = "--gate",
            paramLabel = "GATE",
            defaultValue = "ON",
            description =
                    "Whether compatibility groups are enforced, as FAKEGPU_COMPANION_GATE: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private GroupsGate gate = GroupsGate.ON;

    @Option(
            names = "--group-policy",
            paramLabel = "POLICY",
            defaultValue = "SNAPSHOT",
            description =
                    "Which groups of allocated devices count, as FAKEGPU_COMPANION_GROUP_POLICY: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private GroupPolicy groupPolicy = GroupPolicy.SNAPSHOT;

    @Option(
            names = "--compare",
            paramLabel = "SETTING=A,B",
            description =
                    "Play everything twice and show both results side by side: gate=On,Off or groupPolicy=Snapshot,Live.")
    private @Nullable String compare;

    /** The objects to apply at first, and the scenarios. */
    private record Input(List<JsonNode> objects, List<ScenarioManifest> scenarios) {}

    @Override
    public Integer call() {
        try {
            Input input = input();
            if (compare != null) {
                return compare(input, compare);
            }
            return play(input);
        } catch (SimulationException e) {
            throw new InvalidInputException(e.messages());
        }
    }

    private int play(Input input) {
        PrintWriter out = spec.commandLine().getOut();
        boolean isText = format == Format.text;
        var simulation = new Simulation(options(gate, groupPolicy));
        var results = play(input, simulation, isText ? lines -> print(out, lines) : lines -> {});
        switch (format) {
            case text -> {
                if (input.scenarios().isEmpty()) {
                    ViewText.lines(simulation.view()).forEach(out::println);
                } else {
                    out.println(ScenarioText.summary(results));
                }
            }
            case timeline -> Timeline.lines(simulation).forEach(out::println);
            case json -> out.println(json(report(simulation, results)));
            case yaml -> out.print(Serialization.asYaml(report(simulation, results)));
        }
        out.flush();
        return results.stream().allMatch(ScenarioText::isMet) ? ExitCode.OK : NOT_MET;
    }

    private static boolean isWorkload(JsonNode object) {
        return WORKLOADS.contains(object.path("kind").asText());
    }

    private static void print(PrintWriter out, List<String> lines) {
        lines.forEach(out::println);
        out.flush();
    }

    /** @param progress receives lines of text as soon as they are known */
    private static List<ScenarioRun.StepResult> play(
            Input input, Simulation simulation, Consumer<List<String>> progress) {
        // What publishes devices comes first, so that no pod is told that there are none yet.
        input.objects().stream().filter(object -> !isWorkload(object)).forEach(simulation::apply);
        simulation.settle(LONGEST);
        input.objects().stream().filter(SimulateCommand::isWorkload).forEach(simulation::apply);
        simulation.settle(LONGEST);
        var results = new ArrayList<ScenarioRun.StepResult>();
        var run = new ScenarioRun(simulation);
        for (ScenarioManifest scenario : input.scenarios()) {
            for (ScenarioManifest.Step step : scenario.steps()) {
                progress.accept(ScenarioText.heading(results.size() + 1, step));
                var result = run.play(results.size() + 1, step);
                results.add(result);
                progress.accept(ScenarioText.lines(result));
            }
        }
        return results;
    }

    private static Map<String, Object> report(Simulation simulation, List<ScenarioRun.StepResult> results) {
        var report = new LinkedHashMap<String, Object>();
        var view = simulation.view();
        report.put("claims", view.claims());
        report.put("pods", view.pods());
        report.put("problems", view.problems());
        report.put("steps", results.stream().map(SimulateCommand::report).toList());
        return report;
    }

    private static String json(Map<String, Object> report) {
        try {
            return Serialization.jsonMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> report(ScenarioRun.StepResult result) {
        return Map.of(
                "step", result.number(),
                "title", result.title(),
                "seconds", result.at().toMillis() / 1000.0,
                "checks", result.checks());
    }

    private int compare(Input input, String setting) {
        String[] parts = setting.split("[=,]", -1);
        if (parts.length != 3) {
            throw new InvalidInputException(
                    "--compare: \"%s\" cannot be read; allowed: gate=On,Off or groupPolicy=Snapshot,Live"
                            .formatted(setting));
        }
        var a = new Simulation(options(parts[0], parts[1]));
        var b = new Simulation(options(parts[0], parts[2]));
        boolean met = play(input, a, lines -> {}).stream().allMatch(ScenarioText::isMet);
        met &= play(input, b, lines -> {}).stream().allMatch(ScenarioText::isMet);
        PrintWriter out = spec.commandLine().getOut();
        new ComparisonText(parts[0] + "=" + parts[1], a.view(), parts[0] + "=" + parts[2], b.view())
                .lines()
                .forEach(out::println);
        out.flush();
        return met ? ExitCode.OK : NOT_MET;
    }

    private CompanionOptions options(String setting, String value) {
        return switch (setting) {
            case "gate" -> options(value(setting, value, GroupsGate.class), groupPolicy);
            case "groupPolicy" -> options(gate, value(setting, value, GroupPolicy.class));
            default ->
                throw new InvalidInputException(
                        "--compare: \"%s\" is no setting; allowed: gate, groupPolicy".formatted(setting));
        };
    }

    private static <E extends Enum<E>> E value(String setting, String text, Class<E> type) {
        for (E each : type.getEnumConstants()) {
            if (each.name().equalsIgnoreCase(text)) {
                return each;
            }
        }
        throw new InvalidInputException("--compare: %s: \"%s\" is not known; allowed: %s"
                .formatted(setting, text, List.of(type.getEnumConstants())));
    }

    private static CompanionOptions options(GroupsGate gate, GroupPolicy groupPolicy) {
        return new CompanionOptions(Feature.all(), gate, groupPolicy, BINDING_TIMEOUT, 1);
    }

    private Input input() {
        var objects = new ArrayList<JsonNode>();
        var scenarios = new ArrayList<ScenarioManifest>();
        for (Manifest manifest : manifests.read()) {
            if (manifest.kind().equals("Scenario")) {
                scenarios.add(scenario(manifest));
            } else if (Simulation.isKnown(manifest.json())) {
                objects.add(checked(manifest).json());
            } else {
                spec.commandLine()
                        .getErr()
                        .println("fakegpu: " + manifest.title() + " is left out: it has no part in a simulation");
            }
        }
        if (objects.isEmpty() && scenarios.isEmpty()) {
            throw new InvalidInputException("there is nothing to simulate");
        }
        return new Input(objects, scenarios);
    }

    /** Its paths are relative to its file. */
    private static ScenarioManifest scenario(Manifest manifest) {
        if (!manifest.isA(FakeGpu.GROUP, "Scenario")) {
            throw new InvalidInputException("%s: apiVersion: \"%s\" is not known; allowed: %s"
                    .formatted(
                            manifest.title(),
                            manifest.json().path("apiVersion").asText(),
                            FakeGpu.GROUP + "/" + FakeGpu.VERSION));
        }
        Path file = Path.of(manifest.source());
        try {
            return ScenarioManifest.read(
                    manifest.json(), path -> files(file.resolveSibling(path).normalize()));
        } catch (SimulationException e) {
            throw new InvalidInputException(e.messages().stream()
                    .map(message -> manifest.title() + ": " + message)
                    .toList());
        }
    }

    private static List<JsonNode> files(Path file) {
        try {
            return Manifests.read(List.of(file.toString())).stream()
                    .map(each -> checked(each).json())
                    .toList();
        } catch (InvalidInputException e) {
            throw new SimulationException(e.messages());
        }
    }

    /** Unknown fields of a FakeGpu are errors, as for the API server. */
    private static Manifest checked(Manifest manifest) {
        if (FakeGpus.isOne(manifest)) {
            FakeGpus.spec(manifest);
        }
        return manifest;
    }
}
