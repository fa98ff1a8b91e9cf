package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.OperatorProcess;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the effects of {@code companion.gate} and {@code companion.groupPolicy}. */
@Tag("long")
class CompanionSettingsE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.withSchedulerAndControllerManager().withoutOperator();

    /** The lines of the log are in {@code docs/companion.md}. */
    @Test
    void logAndMetricsSayByWhichRulesItWasDecided() {
        try (var operator = start(Map.of("FAKEGPU_COMPANION_GROUP_POLICY", "Live"));
                var scenario = cluster.scenario(AllocatorName.Companion)) {
            // Given
            scenario.apply("example-3.yaml");
            String namespace = scenario.namespace();

            // When
            scenario.podWithClaim("pod-a", GPU, "mig-1g");
            scenario.awaitRunning("pod-a");
            scenario.podWithClaim("pod-b", GPU, "vgpu");
            scenario.awaitUnschedulable("pod-b", "needs group \"vgpu\"");
            scenario.awaitEvent("pod-b", "FailedScheduling", "needs group \"vgpu\"");
            assertThat(scenario.events("pod-b", "FailedScheduling"))
                    .filteredOn(event -> event.getMessage().contains("needs group \"vgpu\""))
                    .allSatisfy(event -> assertThat(event.getMetadata().getAnnotations())
                            .containsEntry(Labels.REASON, "DevicesIncompatible"));
            scenario.standaloneClaim("claim-c", GPU, "mig-1g");
            scenario.awaitAllocated("claim-c");

            // Then
            scenario.await(() -> assertThat(operator.log().lines())
                    .anySatisfy(line -> assertThat(line)
                            .containsPattern("INFO .* Scheduled pod=" + namespace + "/pod-a node=example-3-node-0"
                                    + " devices=\\[example-3-node-0/example-3/gpu-0-mig-1g-0] gate=On groupPolicy=Live"
                                    + " ms=\\d+$"))
                    .anySatisfy(line -> assertThat(line)
                            .containsPattern("INFO .* Unschedulable pod=" + namespace
                                    + "/pod-b reason=DevicesIncompatible gate=On groupPolicy=Live:"
                                    + " no device for request .*needs group \"vgpu\""))
                    .anySatisfy(line -> assertThat(line)
                            .containsPattern("INFO .* Allocated claim=" + namespace + "/claim-c"
                                    + " devices=\\[example-3-node-0/example-3/gpu-0-mig-1g-1] gate=On groupPolicy=Live"
                                    + " ms=\\d+$")));
            scenario.await(() -> assertThat(operator.metrics())
                    .contains(
                            "fakegpu_companion_attempts_total{gate=\"on\",group_policy=\"live\",result=\"scheduled\",}"
                                    + " 2.0",
                            "fakegpu_companion_unschedulable{reason=\"DevicesIncompatible\",} 1.0"));
        }
    }

    private static OperatorProcess start(Map<String, String> settings) {
        return cluster.startOperator(settings);
    }
}
