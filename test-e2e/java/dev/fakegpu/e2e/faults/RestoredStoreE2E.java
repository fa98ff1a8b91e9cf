package dev.fakegpu.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * etcd is restored from a snapshot: the API server comes back with older resource versions, and later allocations are lost. Neither the
 * leader nor the standby operator may continue with its outdated state.
 */
@Tag("long")
class RestoredStoreE2E {

    private static final String GPU = "gpu.example.com";
    private static final ControlPlaneOptions OPTIONS = ControlPlaneOptions.withControllerManager();

    @Test
    void operatorsContinueWithTheRestoredStore() {
        try (var controlPlane = ControlPlane.start(OPTIONS);
                var leader = start(controlPlane, "first");
                var standby = start(controlPlane, "second");
                var scenario = new ClusterScenario(controlPlane.client(), AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");
            controlPlane.snapshot();
            scenario.await(() -> assertThat(leader.isReady() && standby.isReady())
                    .as("both are ready")
                    .isTrue());
            scenario.deletePod("pod-a");
            for (int round = 0; round < 3; round++) {
                scenario.podWithClaim("later-" + round, GPU, "vgpu");
                scenario.awaitRunning("later-" + round);
                scenario.deletePod("later-" + round);
            }
            scenario.podWithClaim("pod-v", GPU, "vgpu");
            scenario.awaitRunning("pod-v");

            // When
            controlPlane.restore(OPTIONS);

            // Then
            scenario.await(() -> assertThat(scenario.storedPods()).hasSize(1));
            scenario.podWithClaim("pod-b", GPU, "mig-1g");
            scenario.awaitRunning("pod-b");
            scenario.podWithClaim("pod-c", GPU, "vgpu");
            scenario.awaitUnschedulable("pod-c");
            scenario.assertPossible();
            leader.crash();
            scenario.deletePod("pod-a");
            scenario.deletePod("pod-b");
            scenario.awaitRunning("pod-c");
            scenario.assertPossible();
            scenario.await(
                    () -> assertThat(standby.isLive() && standby.isReady()).isTrue());
        }
    }

    private static OperatorProcess start(ControlPlane controlPlane, String identity) {
        return OperatorProcess.start(controlPlane, Map.of("FAKEGPU_IDENTITY", identity));
    }
}
