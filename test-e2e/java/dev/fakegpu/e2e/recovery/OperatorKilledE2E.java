package dev.fakegpu.e2e.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** SIGKILL in the middle of Example 3: nothing is allocated twice, lost, or left behind. */
@Tag("long")
class OperatorKilledE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withSchedulerAndControllerManager().withoutOperator();

    @Test
    void killedOperatorContinuesWithRunningAndWaitingPods() {
        var operator = start();
        var scenario = cluster.scenario(AllocatorName.Companion);
        try {
            scenario.apply("example-3.yaml");
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");
            scenario.podWithClaim("pod-b", GPU, "vgpu");
            scenario.awaitUnschedulable("pod-b");

            operator.kill();
            scenario.podWithClaim("pod-c", GPU, "mig-1g");
            operator = start();

            scenario.awaitRunning("pod-c");
            scenario.awaitRunning("pod-a");
            assertThat(scenario.devices("pod-b")).isEmpty();
            assertNothingTwice(scenario, "pod-a", "pod-b", "pod-c");

            scenario.deletePod("pod-a");
            scenario.deletePod("pod-c");
            scenario.awaitRunning("pod-b");
        } finally {
            scenario.close(); // and nothing is left behind
            operator.close();
        }
    }

    private static void assertNothingTwice(ClusterScenario scenario, String... claims) {
        var devices = new ArrayList<DeviceId>();
        for (String claim : claims) {
            devices.addAll(scenario.devices(claim));
        }
        assertThat(devices).doesNotHaveDuplicates();
    }

    private static OperatorProcess start() {
        return cluster.startOperator(Map.of());
    }
}
