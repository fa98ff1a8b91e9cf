package org.example.training;

import static dev.fakegpu.junit.GpuAssertions.assertThat;
import static dev.fakegpu.junit.RefusalReason.DEVICES_IN_USE;

import dev.fakegpu.junit.FakeGpuCluster;
import dev.fakegpu.junit.FakeGpuCluster.Allocator;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

@FakeGpuCluster(mig = "3g.20gb", allocator = Allocator.KUBE_SCHEDULER)
class KubeSchedulerTest {

    @Test
    void podsForKubeSchedulerGetDevicesOrAReason(KubernetesClient client) {
        var jobs = new TrainingJobs(client);
        try (var operator = new TrainingOperator(client, "default-scheduler")) {
            for (String name : new String[] {"one", "two"}) {
                jobs.submit(name, "3g.20gb");
                assertThat(jobs.podOf(name)).isRunningOn("gpus-node-0");
            }
            jobs.submit("three", "3g.20gb");

            assertThat(jobs.podOf("three")).isRefusedBecause(DEVICES_IN_USE);
        }
    }
}
