package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.cluster.validation.ApiServer;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.simulate.NotPlayed;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The input files of a simulation.
 *
 * @param objects the objects to apply first
 * @param scenarios the scenarios to play then, one after the other
 */
public record SimulationInput(List<JsonNode> objects, List<ScenarioManifest> scenarios) {

    private static final Set<String> MADE_BY_OWNERS = Set.of("Pod", "Node");

    private static final String SCENARIO = "Scenario";

    /** The kinds that are read, with the {@code apiVersion} of each. */
    private static final Map<String, String> READ = read();

    public SimulationInput {
        objects = List.copyOf(objects);
        scenarios = List.copyOf(scenarios);
    }

    private static Map<String, String> read() {
        var kinds = new TreeMap<>(ApiObjects.versions());
        kinds.put(SCENARIO, FakeGpu.GROUP + "/" + FakeGpu.VERSION);
        return kinds;
    }

    /**
     * @param mixins how schedulers treat mixins of slices
     * @param server the API server to which the objects are applied
     * @param notes receives what is omitted
     * @throws InvalidInputException with a message for each problem of an object or scenario
     */
    public static SimulationInput of(
            List<Manifest> manifests, MixinsGate mixins, ApiServer server, Consumer<String> notes) {
        var objects = new ArrayList<JsonNode>();
        var scenarios = new ArrayList<ScenarioManifest>();
        collect(MixinSlices.visible(manifests, mixins, notes), notes, (manifest, receiver) -> {
            if (manifest.kind().equals(SCENARIO)) {
                scenarios.add(scenario(manifest, mixins, server, receiver));
            } else {
                object(manifest, server, receiver).ifPresent(objects::add);
            }
        });
        if (objects.isEmpty() && scenarios.isEmpty()) {
            throw new InvalidInputException("there is nothing to simulate");
        }
        manifests.stream()
                .filter(SimulationInput::isOwned)
                .map(Manifest::source)
                .distinct()
                .forEach(file -> notes.accept(
                        "%1$s: its pods or nodes with owners are applied beside those that their owners make here; --from %1$s begins"
                                        .formatted(file)
                                + " with everything as it is stored"));
        return new SimulationInput(objects, scenarios);
    }

    /** Nothing is played if there are problems, so those that the operator would report are added then. */
    private static void collect(
            List<Manifest> manifests, Consumer<String> notes, BiConsumer<Manifest, Consumer<String>> reader) {
        try {
            InvalidInputException.collect(manifests, manifest -> reader.accept(manifest, notes));
        } catch (InvalidInputException e) {
            SliceRenderer renderer = CatalogFiles.renderer(manifests);
            InvalidInputException.collect(manifests, manifest -> {
                if (FakeGpus.isOne(manifest)) {
                    FakeGpus.read(manifest, renderer);
                } else {
                    reader.accept(manifest, noted -> {});
                }
            });
            throw e;
        }
    }

    /**
     * The objects of manifests to be played.
     *
     * @param namespace the namespace of objects that have none
     * @param mixins how schedulers treat mixins of slices
     * @param server the API server to which the objects are applied
     * @param notes receives what is omitted
     * @throws InvalidInputException with a message for each problem, including those of FakeGpus that the operator would refuse
     */
    public static List<JsonNode> objects(
            List<Manifest> manifests, String namespace, MixinsGate mixins, ApiServer server, Consumer<String> notes) {
        SliceRenderer renderer = CatalogFiles.renderer(manifests);
        var objects = new ArrayList<JsonNode>();
        InvalidInputException.collect(MixinSlices.visible(manifests, mixins, notes), manifest -> {
            if (FakeGpus.isOne(manifest)) {
                FakeGpus.read(manifest, renderer);
            }
            object(manifest, server, notes)
                    .map(object -> ApiObjects.inNamespace(object, namespace))
                    .ifPresent(objects::add);
        });
        return objects;
    }

    /**
     * The schedulers with which the scenarios are meant to be played; empty if none says so.
     *
     * @throws InvalidInputException if they differ
     */
    public Optional<Schedulers> scheduler() {
        List<Schedulers> named = scenarios.stream()
                .flatMap(scenario -> Stream.ofNullable(scenario.scheduler()))
                .distinct()
                .toList();
        if (named.size() > 1) {
            throw new InvalidInputException(
                    "the scenarios name different schedulers: play them separately, or choose one with --scheduler");
        }
        return named.stream().findFirst();
    }

    /** Whether a controller created it, for example for a Job or a FakeGpu; in a simulation, the owner creates it again. */
    private static boolean isOwned(Manifest manifest) {
        return MADE_BY_OWNERS.contains(manifest.kind())
                && !manifest.json().path("metadata").path("ownerReferences").isEmpty();
    }

    /** Returns empty if objects of the kind are not played. Throws if the API server would refuse the object. */
    private static Optional<JsonNode> object(Manifest manifest, ApiServer server, Consumer<String> notes) {
        manifest.note(notes);
        if (!Simulation.isKnown(manifest.json())) {
            manifest.refuseMisspelled(READ);
            notes.accept(manifest.title() + " is left out: " + NotPlayed.consequence(manifest.json()));
            return Optional.empty();
        }
        var problems = new ArrayList<>(manifest.unserved(server.version()));
        problems.addAll(ApiObjects.problems(manifest.json(), "", server));
        manifest.refuse(problems);
        return Optional.of(manifest.json());
    }

    /** Merges this with other input, whose objects replace those with the same kind, namespace and name. */
    public SimulationInput with(SimulationInput other) {
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

    /** Resolves its paths relative to its file. */
    private static ScenarioManifest scenario(
            Manifest manifest, MixinsGate mixins, ApiServer server, Consumer<String> notes) {
        manifest.refuseMisspelled(READ);
        Path file = Path.of(manifest.source());
        try {
            return ScenarioManifest.read(
                    withVisibleSlices(manifest, mixins, notes),
                    server,
                    path -> files(file.resolveSibling(path).normalize(), mixins, server, notes));
        } catch (SimulationException e) {
            manifest.refuse(e.messages());
            throw e;
        }
    }

    /** Returns the scenario with its slices as schedulers see them. */
    private static JsonNode withVisibleSlices(Manifest manifest, MixinsGate mixins, Consumer<String> notes) {
        JsonNode scenario = manifest.json().deepCopy();
        var places = new ArrayList<ArrayNode>();
        var objects = new ArrayList<Manifest>();
        scenario.path("steps").forEach(step -> {
            if (step.path("apply") instanceof ArrayNode list) {
                places.add(list);
                list.forEach(each -> objects.add(new Manifest(manifest.source(), each)));
            }
        });
        Iterator<Manifest> visible = MixinSlices.visible(objects, mixins, notes).iterator();
        for (ArrayNode list : places) {
            for (int i = 0; i < list.size(); i++) {
                list.set(i, visible.next().json());
            }
        }
        return scenario;
    }

    private static List<JsonNode> files(Path file, MixinsGate mixins, ApiServer server, Consumer<String> notes) {
        try {
            return MixinSlices.visible(Manifests.read(List.of(file.toString())), mixins, notes).stream()
                    .flatMap(each -> object(each, server, notes).stream())
                    .toList();
        } catch (InvalidInputException e) {
            throw new SimulationException(e.messages());
        }
    }
}
