package org.example.training;

import static dev.fakegpu.junit.GpuAssertions.assertThat;
import static dev.fakegpu.junit.RefusalReason.DEVICES_IN_USE;
import static dev.fakegpu.junit.RefusalReason.NO_MATCHING_DEVICE;

import dev.fakegpu.junit.FakeGpuCluster;
import dev.fakegpu.junit.GpuCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@FakeGpuCluster(
        model = "H100-SXM5-80GB",
        nodes = 2,
        mig = {"1g.10gb", "3g.40gb"})
class TrainingOperatorTest {

    private KubernetesClient client; // injected by the extension
    private GpuCluster cluster; // also injected
    private TrainingJobs jobs;
    private TrainingOperator operator;

    @BeforeEach
    void start() {
        jobs = new TrainingJobs(client);
        operator = new TrainingOperator(client, "fakegpu-scheduler");
    }

    @AfterEach
    void stop() {
        client.resources(TrainingJob.class).delete();
        operator.close();
    }

    @Test
    void runsAJobOnTheDeviceThatItNeeds() {
        jobs.submit("small", "1g.10gb");

        assertThat(jobs.podOf("small")).isRunning().isPrepared();
    }

    @Test
    void saysWhyAJobHasToWait() {
        for (String name : new String[] {"one", "two", "three", "four"}) {
            jobs.submit(name, "3g.40gb"); // two of these fit on a GPU
            assertThat(jobs.podOf(name)).isRunning();
        }
        jobs.submit("five", "3g.40gb");

        assertThat(jobs.podOf("five")).isRefusedBecause(DEVICES_IN_USE);

        jobs.cancel("two");

        // The garbage collector, which removes the pod, looks for new kinds only every 30 s.
        cluster.waitingAtMost(Duration.ofMinutes(6))
                .assertThat(jobs.podOf("five"))
                .isRunning();
    }

    @Test
    void cannotRunWhatNoGpuHas() {
        jobs.submit("large", "7g.80gb");

        assertThat(jobs.podOf("large"))
                .isRefusedBecause(NO_MATCHING_DEVICE)
                .refusal()
                .contains("never fits");
    }
}
