package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodDemandTest {

    private static final String SELECTOR =
            "running \"DynamicResources\" filter plugin: claim default/fraction: selector #0 on device d/n/gpu-0: CEL"
                    + " runtime error: no such key: profile";

    /** Upstream: {@code handleSchedulingFailure} in {@code schedule_one.go}. */
    @ParameterizedTest
    @CsvSource({
        "Unschedulable,   0/1 nodes are available: 1 Insufficient cpu., true",
        "SchedulerError,  '" + SELECTOR + "', true",
        "SchedulerError,  binding rejected: the server is overloaded,   false",
        "SchedulingGated, Scheduling is blocked,                        false"
    })
    void aPodIsRefusedByNodesAndByErrorsOfThePluginForDevices(String reason, String message, boolean isRefused) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason(reason)
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build();

        assertThat(PodDemand.isRefused(pod)).isEqualTo(isRefused);
    }
}
