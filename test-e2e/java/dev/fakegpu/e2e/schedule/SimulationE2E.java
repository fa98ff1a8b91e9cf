package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.simulate.SimulationOptions;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scenarios on a real control plane and in memory. After each step, the same pods run and wait, on the same nodes, with the same
 * devices.
 */
@Tag("long")
class SimulationE2E {

    private static final int SCENARIOS = Integer.getInteger("simulated.scenarios", 3);
    private static final int STEPS = 20;
    private static final long SEED = Long.getLong("e2e.seed", 1);

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + SCENARIOS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void simulationRunsTheSamePodsWithTheSameDevices(long seed) {
        try (var real = cluster.scenario(AllocatorName.Companion)) {
            var scenario = new MirroredScenario(
                    cluster.client(), real, SimulationOptions.DEFAULT, Labels.SCHEDULER_NAME, seed);
            scenario.start();
            warmUp(real);
            for (int step = 0; step < STEPS; step++) {
                scenario.next(step);
                scenario.settle();
                real.await(() -> assertThat(scenario.real())
                        .as("seed %d, after %s", seed, scenario.steps())
                        .isEqualTo(scenario.simulated()));
            }
            real.cordon("simulation-node-0", false); // for the next scenario
        }
    }

    /** On a busy machine, the first decision of a process can reach the limit of processor time, and then continues with the next node. */
    private static void warmUp(ClusterScenario scenario) {
        scenario.claim("warm-up", "mig.example.com");
        scenario.podForCompanion("warm-up", "warm-up");
        scenario.awaitRunning("warm-up");
        scenario.deletePod("warm-up");
        scenario.deleteClaim("warm-up");
        scenario.await(() -> assertThat(scenario.storedClaims()).isEmpty());
        scenario.await(() -> assertThat(scenario.storedPods()).isEmpty());
    }
}
