package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.SimulationOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random scenarios with the real kube-scheduler and in memory. In memory, each pod may only be placed on the node that kube-scheduler
 * chose, since kube-scheduler chooses among equal nodes at random; then it must get the same devices, and after each step the same pods run
 * and wait.
 */
@Tag("long")
class KubeSchedulerSimulationE2E {

    private static final int SCENARIOS = Integer.getInteger("simulated.scenarios", 2);
    private static final int STEPS = 20;
    private static final long SEED = Long.getLong("e2e.seed", 1);

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    static LongStream seeds() {
        return LongStream.range(SEED, SEED + SCENARIOS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onTheSameNodesPodsGetTheSameDevices(long seed) {
        try (var real = cluster.scenario(AllocatorName.KubeScheduler)) {
            var scenario = new MirroredScenario(
                    cluster.client(), real, SimulationOptions.DEFAULT.with(Schedulers.KUBE), "default-scheduler", seed);
            scenario.start();
            var order = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                scenario.next(step);
                scenario.hold();
                scenario.settle();
                real.await(() -> {
                    Map<String, String> expected = scenario.real();
                    assertThat(follow(scenario, expected, order))
                            .as("seed %d, after %s", seed, scenario.steps())
                            .isEqualTo(expected);
                });
                scenario.hold();
            }
            real.cordon("simulation-node-0", false); // for the next scenario
        }
    }

    /**
     * Places the pods that kube-scheduler placed on the same nodes, then lets the others be scheduled. If the result differs, everything is
     * undone: kube-scheduler may not be done, or may have used another order, which cannot be observed.
     *
     * @return the final state in memory
     */
    private static Map<String, String> follow(MirroredScenario scenario, Map<String, String> real, Random order) {
        Map<String, String> before = scenario.simulated();
        var differing = place(scenario, real, order);
        if (differing.isEmpty()) {
            scenario.release();
            scenario.settle();
        }
        Map<String, String> simulated = scenario.simulated();
        simulated.putAll(differing);
        if (!simulated.equals(real)) {
            scenario.hold();
            scenario.simulated().forEach((pod, state) -> {
                boolean isNew = MirroredScenario.WAITS.equals(before.get(pod));
                if (isNew && !state.equals(MirroredScenario.WAITS)) {
                    scenario.takeBack(pod);
                }
            });
        }
        return simulated;
    }

    /**
     * Places pods one after the other, in any order in which each gets the devices that it has in the cluster.
     *
     * @return the pods that get other devices in every tried order, with these devices
     */
    private static Map<String, String> place(MirroredScenario scenario, Map<String, String> real, Random order) {
        var differing = new TreeMap<String, String>();
        var rest = new ArrayList<>(scenario.simulated().entrySet().stream()
                .filter(pod -> pod.getValue().equals(MirroredScenario.WAITS))
                .map(Map.Entry::getKey)
                .filter(pod -> real.getOrDefault(pod, "").startsWith("simulation-node-"))
                .toList());
        Collections.shuffle(rest, order);
        for (int i = 0; i < rest.size(); ) {
            String pod = rest.get(i);
            String node = real.get(pod).substring(0, real.get(pod).indexOf(' '));
            scenario.release(pod, node);
            scenario.settle();
            String state = scenario.simulated().get(pod);
            if (state.equals(real.get(pod))) {
                rest.remove(i);
                differing.clear();
                i = 0;
            } else {
                scenario.takeBack(pod);
                differing.put(pod, state);
                i++;
            }
        }
        return differing;
    }
}
