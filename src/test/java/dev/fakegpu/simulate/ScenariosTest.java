package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays the scenarios of {@code test-e2e/scenarios} and {@code docs/stuck} in memory, with the companion and the simulated kube-scheduler. Whoever says why a pod
 * waits says the same.
 */
class ScenariosTest {

    static Stream<ScenarioFile> scenarios() {
        return Stream.concat(ScenarioFile.all(), ScenarioFile.ofStuckPods());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everythingThatAScenarioExpectsIsSo(ScenarioFile scenario) {
        assertThat(scenario.expectations()).isPositive();

        scenario.play(new OneSentence(new Simulation(SimulationOptions.DEFAULT.with(Schedulers.KUBE))));
    }
}
