package org.example.training;

import static dev.fakegpu.junit.GpuAssertions.assertThat;
import static dev.fakegpu.junit.RefusalReason.DEVICES_INCOMPATIBLE;

import dev.fakegpu.junit.FakeGpuCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

@FakeGpuCluster(manifests = "classpath:a30-for-everything.yaml")
class MixedUseTest {

    @Test
    void aGpuIsUsedInOneWayAtATime(KubernetesClient client) {
        var jobs = new TrainingJobs(client);
        try (var operator = new TrainingOperator(client, "fakegpu-scheduler")) {
            jobs.submit("trainer", "1g.6gb");
            assertThat(jobs.podOf("trainer")).isRunningOn("a30-node-0").holds("gpu-0-mig-1g6gb-14-0");

            Pod desktop = client.resource(desktop()).create();

            assertThat(desktop)
                    .isRefusedBecause(DEVICES_INCOMPATIBLE)
                    .refusal()
                    .contains("held with group \"mig\" by trainer-gpu-");
        }
    }

    private static Pod desktop() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("desktop")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("fakegpu-scheduler")
                .addNewContainer()
                .withName("main")
                .withImage("registry.example.org/desktop:1")
                .endContainer()
                .addNewResourceClaim()
                .withName("gpu")
                .withResourceClaimTemplateName("vgpu")
                .endResourceClaim()
                .endSpec()
                .build();
    }
}
