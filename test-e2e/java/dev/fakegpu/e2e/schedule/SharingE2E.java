package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequestBuilder;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several claims on one GPU, each with a part of its memory (KEP-5075), from the claim to the running pod. */
class SharingE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @AutoClose
    private final ClusterScenario scenario = cluster.scenario(AllocatorName.Companion);

    @Test
    void podsShareTheMemoryOfAGpuThatNoPartitionCanUseMeanwhile() {
        // Given
        fakeGpus.create("shared", """
                {nodes: {simulated: {count: 1}}, model: A100-SXM4-40GB, partitions: {mig: {profiles: [1g.5gb]}},
                 sharing: {mode: Memory, memory: {default: 10Gi, validValues: [10Gi, 20Gi, 39Gi]}}}
                """);
        fakeGpus.awaitReady("shared");

        // When
        podWithMemory("pod-a", "8Gi");
        podWithMemory("pod-b", "20Gi");
        scenario.awaitRunning("pod-a");
        scenario.awaitRunning("pod-b");
        podWithMemory("pod-c", "20Gi");
        pod("pod-mig", "mig.example.com", Map.of());

        // Then
        var gpu = new DeviceId(GPU, "shared-node-0/shared", "gpu-0");
        assertThat(scenario.devices("pod-a")).containsExactly(gpu);
        assertThat(scenario.devices("pod-b")).containsExactly(gpu);
        assertThat(memory("pod-a")).isEqualTo(new Quantity("10Gi"));
        assertThat(memory("pod-b")).isEqualTo(new Quantity("20Gi"));
        assertThat(scenario.storedClaim("pod-a").getStatus().getDevices())
                .singleElement()
                .satisfies(status -> assertThat(status.getShareID())
                        .isNotNull()
                        .isEqualTo(Allocations.results(scenario.storedClaim("pod-a"))
                                .get(0)
                                .getShareID()));
        assertThat(DeviceStatuses.isPrepared(scenario.storedClaim("pod-b"), gpu))
                .isTrue();
        scenario.awaitUnschedulable("pod-c");
        scenario.awaitUnschedulable("pod-mig");

        // When
        scenario.deletePod("pod-b");

        // Then
        scenario.awaitRunning("pod-c");
        scenario.deletePod("pod-a");
        scenario.deletePod("pod-c");
        scenario.awaitRunning("pod-mig");
    }

    @Test
    void gpuHasNoMoreThanItsShares() {
        // Given
        fakeGpus.create("shares", """
                {nodes: {simulated: {count: 1}}, model: L40S, sharing: {mode: Shares, shares: 2}}
                """);
        fakeGpus.awaitReady("shares");

        // When
        scenario.podWithClaim("pod-a", GPU, "gpu");
        scenario.podWithClaim("pod-b", GPU, "gpu");
        scenario.awaitRunning("pod-a");
        scenario.awaitRunning("pod-b");
        scenario.podWithClaim("pod-c", GPU, "gpu");

        // Then
        scenario.awaitUnschedulable("pod-c");
    }

    private Quantity memory(String claim) {
        return Allocations.results(scenario.storedClaim(claim))
                .get(0)
                .getConsumedCapacity()
                .get("memory");
    }

    private void podWithMemory(String name, String memory) {
        pod(name, GPU, Map.of("memory", new Quantity(memory)));
    }

    private void pod(String name, String deviceClass, Map<String, Quantity> capacity) {
        cluster.client()
                .resource(SingleRequestClaims.exactly(
                                scenario.namespace(),
                                name,
                                new ExactDeviceRequestBuilder()
                                        .withDeviceClassName(deviceClass)
                                        .withNewCapacity()
                                        .withRequests(capacity)
                                        .endCapacity())
                        .build())
                .create();
        scenario.pod(name, name);
    }
}
