package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.simulate.ScenarioManifest;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationException;
import dev.fakegpu.util.FieldProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a simulation is given in files.
 *
 * @param objects to apply at first
 * @param scenarios to play then, one after the other
 */
record SimulationInput(List<JsonNode> objects, List<ScenarioManifest> scenarios) {

    private static final Set<String> WORKLOADS = Set.of("Pod", "Deployment", "Job", "ResourceClaim");

    SimulationInput {
        objects = List.copyOf(objects);
        scenarios = List.copyOf(scenarios);
    }

    /** @param notes receives what is left out */
    static SimulationInput of(List<Manifest> manifests, Consumer<String> notes) {
        var objects = new ArrayList<JsonNode>();
        var scenarios = new ArrayList<ScenarioManifest>();
        for (Manifest manifest : manifests) {
            if (manifest.kind().equals("Scenario")) {
                scenarios.add(scenario(manifest));
            } else if (Simulation.isKnown(manifest.json())) {
                objects.add(checked(manifest).json());
            } else {
                notes.accept(manifest.title() + " is left out: it has no part in a simulation");
            }
        }
        if (objects.isEmpty() && scenarios.isEmpty()) {
            throw new InvalidInputException("there is nothing to simulate");
        }
        return new SimulationInput(objects, scenarios);
    }

    /** This and other input, whose objects replace those of the same kind, namespace and name. */
    SimulationInput with(SimulationInput other) {
        var names = other.objects.stream().map(SimulationInput::name).toList();
        var all = new ArrayList<>(
                objects.stream().filter(object -> !names.contains(name(object))).toList());
        all.addAll(other.objects);
        var played = new ArrayList<>(scenarios);
        played.addAll(other.scenarios);
        return new SimulationInput(all, played);
    }

    private static List<String> name(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return List.of(
                object.path("kind").asText(),
                metadata.path("namespace").asText("default"),
                metadata.path("name").asText());
    }

    /** What publishes devices: it is applied before the rest, so that no pod is told that there are none yet. */
    List<JsonNode> infrastructure() {
        return objects.stream().filter(object -> !isWorkload(object)).toList();
    }

    List<JsonNode> workloads() {
        return objects.stream().filter(SimulationInput::isWorkload).toList();
    }

    private static boolean isWorkload(JsonNode object) {
        return WORKLOADS.contains(object.path("kind").asText());
    }

    /** Its paths are relative to its file. */
    private static ScenarioManifest scenario(Manifest manifest) {
        if (!manifest.isA(FakeGpu.GROUP, "Scenario")) {
            String version = manifest.json().path("apiVersion").asText();
            throw new InvalidInputException(FieldProblem.sentence(
                    manifest.title() + ": apiVersion",
                    version,
                    version.isEmpty() ? "is missing" : "is not known",
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
