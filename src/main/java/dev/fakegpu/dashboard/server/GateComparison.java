package dev.fakegpu.dashboard.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dashboard.Comparison;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import dev.fakegpu.simulate.scenario.ScenarioRun;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** KEP-5963's example 3, simulated with kube-scheduler's feature gate for compatibility groups on, and with it off. */
final class GateComparison {

    private static final String SCENARIO = "/dashboard/example-3.scenario.yaml";
    private static final List<GroupsGate> GATES = List.of(GroupsGate.ON, GroupsGate.OFF);

    private static @Nullable Comparison played;

    private GateComparison() {}

    /** The same for all; the first call takes a second or so. After a failure, such as an interrupt, the next call tries again. */
    static synchronized Comparison get() {
        Comparison known = played;
        if (known == null) {
            known = play();
            played = known;
        }
        return known;
    }

    private static Comparison play() {
        ScenarioManifest scenario = ScenarioManifest.read(json(), file -> List.of());
        List<List<Dashboard>> worlds =
                GATES.stream().map(gate -> pictures(scenario, gate)).toList();
        List<Comparison.Step> steps = IntStream.range(0, scenario.steps().size())
                .mapToObj(i -> new Comparison.Step(
                        scenario.steps().get(i).title(),
                        worlds.stream().map(pictures -> pictures.get(i)).toList()))
                .toList();
        return new Comparison(GATES.stream().map(GateComparison::title).toList(), steps);
    }

    private static String title(GroupsGate gate) {
        return "Feature gate " + (gate == GroupsGate.ON ? "on" : "off");
    }

    private static List<Dashboard> pictures(ScenarioManifest scenario, GroupsGate gate) {
        var simulation =
                new Simulation(SimulationOptions.DEFAULT.with(Schedulers.KUBE).with(gate));
        var run = new ScenarioRun(simulation);
        var reader = new DashboardReader("simulated", PendingChanges.NONE);
        var pictures = new ArrayList<Dashboard>();
        try (var cluster = new StoredCluster(simulation.stores(), () -> true)) {
            scenario.steps().forEach(step -> {
                run.play(pictures.size() + 1, step);
                pictures.add(reader.read(cluster.objects()));
            });
        }
        return pictures;
    }

    private static JsonNode json() {
        try (InputStream in = GateComparison.class.getResourceAsStream(SCENARIO)) {
            if (in == null) {
                throw new IllegalStateException("the file " + SCENARIO + " is missing in this build");
            }
            return Serialization.yamlMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
