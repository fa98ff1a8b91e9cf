package dev.fakegpu.dashboard.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dashboard.Comparison;
import dev.fakegpu.dashboard.Comparison.Check;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import dev.fakegpu.simulate.scenario.ScenarioRun;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Steps that the page plays in a cluster in memory.
 *
 * @param title the title on the page
 * @param worlds the worlds in which it is played: one, or two that are compared
 */
public record Play(String title, List<World> worlds) {

    private static final int MAX_NAMED = 4;

    public Play {
        worlds = List.copyOf(worlds);
    }

    /** @param title the difference from the other world */
    public record World(String title, SimulationOptions options, List<ScenarioManifest.Step> steps) {
        public World {
            steps = List.copyOf(steps);
        }
    }

    /** If there are more objects, they are applied together. */
    private static final int MAX_STEPS = 30;

    /** The steps that create objects: first the objects that provide devices, and then, one after the other, those that use devices. */
    public static List<ScenarioManifest.Step> steps(List<JsonNode> objects) {
        List<JsonNode> users = objects.stream().filter(Simulation::isUser).toList();
        List<JsonNode> others =
                objects.stream().filter(object -> !users.contains(object)).toList();
        Stream<List<JsonNode>> together =
                users.size() > MAX_STEPS ? Stream.of(users) : users.stream().map(List::of);
        return Stream.concat(Stream.of(others), together)
                .filter(applied -> !applied.isEmpty())
                .map(applied -> ScenarioManifest.apply(title(applied), applied))
                .toList();
    }

    private static String title(List<JsonNode> objects) {
        return "apply "
                + (objects.size() > MAX_NAMED
                        ? objects.size() + " objects"
                        : objects.stream()
                                .map(object -> object.path("kind").asText().toLowerCase(Locale.ROOT) + "/"
                                        + object.path("metadata").path("name").asText())
                                .collect(Collectors.joining(", ")));
    }

    /** A played scenario: a picture after each step that does something, and its checks. */
    private record Scene(String title, Dashboard picture, List<Check> checks) {}

    /** @throws dev.fakegpu.simulate.memory.SimulationException if an object is refused */
    Comparison play() {
        List<List<Scene>> played = worlds.stream().map(Play::scenes).toList();
        List<Scene> longest =
                played.stream().max(Comparator.comparingInt(List::size)).orElseThrow();
        List<Comparison.Step> steps = IntStream.range(0, longest.size())
                .mapToObj(i -> {
                    List<Scene> at = played.stream()
                            .map(scenes -> scenes.get(Math.min(i, scenes.size() - 1)))
                            .toList();
                    return new Comparison.Step(
                            longest.get(i).title(),
                            at.stream().map(Scene::picture).toList(),
                            at.stream().map(Scene::checks).toList());
                })
                .toList();
        return new Comparison(worlds.stream().map(World::title).toList(), steps);
    }

    private static List<Scene> scenes(World world) {
        var simulation = new Simulation(world.options());
        var run = new ScenarioRun(simulation);
        var reader = new DashboardReader("simulated", simulation.pendingChanges());
        var scenes = new ArrayList<Scene>();
        HasMetadata settings = world.options().asSettings().asDeployment();
        try (var cluster = new StoredCluster(simulation.stores(), () -> List.of(settings), () -> true)) {
            for (int i = 0; i < world.steps().size(); i++) {
                var step = world.steps().get(i);
                List<Check> checks =
                        run.play(i + 1, step).checks().stream().map(Play::check).toList();
                if (step instanceof ScenarioManifest.Expect && step.title().isEmpty() && !scenes.isEmpty()) {
                    Scene last = scenes.remove(scenes.size() - 1);
                    scenes.add(new Scene(last.title(), last.picture(), checks));
                } else {
                    scenes.add(new Scene(step.title(), reader.read(cluster.objects()), checks));
                }
            }
        }
        return scenes;
    }

    private static Check check(ScenarioRun.Check check) {
        return new Check(check.passed(), check.passed() ? check.expected() : check.expected() + ": " + check.actual());
    }
}
