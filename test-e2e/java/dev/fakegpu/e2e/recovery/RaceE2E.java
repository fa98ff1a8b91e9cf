package dev.fakegpu.e2e.recovery;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** 50 pods compete for a GPU that has room for seven MIG devices, while the operator is killed repeatedly. */
@Tag("long")
class RaceE2E {

    private static final String GPU = "gpu.example.com";
    private static final int PODS = 50;
    private static final int KILLS = Integer.getInteger("e2e.kills", 8);
    private static final long SEED = Long.getLong("e2e.seed", System.nanoTime());

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withSchedulerAndControllerManager().withoutOperator();

    private final Set<String> ran = new HashSet<>();

    @Test
    void eachPodGetsItsTurnAndNoDeviceIsGivenAwayTwice() {
        System.out.println("seed " + SEED + ": -De2e.seed=" + SEED);
        var random = new Random(SEED);
        var operator = start();
        var scenario = cluster.scenario(AllocatorName.Companion);
        try {
            begin(scenario);
            for (int kill = 0; kill < KILLS; kill++) {
                int enough = ran.size() + random.nextInt(3);
                var end = System.nanoTime()
                        + Duration.ofMillis(random.nextInt(1500)).toNanos();
                Awaitility.await().until(() -> {
                    step(scenario);
                    return ran.size() >= Math.min(enough, PODS) && System.nanoTime() >= end;
                });
                operator.kill();
                scenario.assertPossible();
                operator = start();
            }
            awaitAllRan(scenario);
        } finally {
            scenario.close();
            operator.close();
        }
    }

    private void begin(ClusterScenario scenario) {
        scenario.apply("race.yaml");
        IntStream.range(0, PODS).forEach(i -> scenario.podWithClaim("pod-" + i, GPU, "mig"));
    }

    private void awaitAllRan(ClusterScenario scenario) {
        Awaitility.await().until(() -> {
            step(scenario);
            return ran.size() == PODS;
        });
    }

    /** Deletes running pods to make room for others. */
    private void step(ClusterScenario scenario) {
        scenario.assertPossible();
        scenario.running().forEach(pod -> {
            if (ran.add(pod)) {
                scenario.deletePod(pod);
            }
        });
    }

    private static OperatorProcess start() {
        return cluster.startOperator(Map.of());
    }
}
