package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.testing.ClusterYaml;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A simulation that is changed with YAML. Objects are in the namespace {@code default}. */
record YamlSimulation(Simulation simulation) {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    static YamlSimulation of(Schedulers schedulers) {
        return new YamlSimulation(new Simulation(SimulationOptions.DEFAULT.with(schedulers)));
    }

    void apply(String yaml) {
        simulation.apply(
                ClusterYaml.json(yaml).stream()
                        .map(json -> ApiObjects.inNamespace(json, "default"))
                        .toList(),
                LONGEST);
    }

    /** Changes an object, and waits for the consequences. */
    void patch(String kind, String name, String yaml) {
        assertThat(simulation.change(
                        new ObjectName(kind, "default", name),
                        ClusterYaml.json(yaml).get(0)))
                .isTrue();
        simulation.settle(LONGEST);
    }

    void delete(String kind, String name) {
        assertThat(simulation.delete(new ObjectName(kind, "default", name))).isTrue();
        simulation.settle(LONGEST);
    }

    ClusterView view() {
        return simulation.view();
    }

    List<String> running() {
        return view().pods().stream()
                .filter(PodRow::isRunning)
                .map(PodRow::name)
                .toList();
    }

    Waiting waiting(String pod) {
        return Objects.requireNonNull(view().pod("default", pod).orElseThrow().waiting());
    }

    /** The claims that hold devices. */
    List<String> held() {
        return view().claims().stream()
                .filter(claim -> !claim.devices().isEmpty())
                .map(ClaimRow::name)
                .toList();
    }
}
