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
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several claims on one device, each with a part of its capacities (KEP-5075), from the claim to the running pod. */
class SharingE2E {

    private static final String GPU = "gpu.example.com";
    private static final String MIG = "mig.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @AutoClose
    private final ClusterScenario scenario = cluster.scenario(AllocatorName.Companion);

    @Test
    void podsShareTheMemoryOfAGpuThatNoPartitionCanUseMeanwhile() {
        // Given
        fakeGpus.create("shared", """
                {nodes: {simulated: {count: 1}}, model: A100-SXM4-40GB, partitions: {vgpu: {types: [4C]}},
                 sharing: {mode: Memory, memory: {default: 10Gi, validValues: [10Gi, 20Gi, 40Gi]}}}
                """);
        fakeGpus.awaitReady("shared");

        // When
        podWithMemory("pod-a", "8Gi");
        podWithMemory("pod-b", "20Gi");
        scenario.awaitRunning("pod-a");
        scenario.awaitRunning("pod-b");
        podWithMemory("pod-c", "20Gi");
        pod(scenario, "pod-vgpu", "vgpu.gpu.example.com", Map.of());

        // Then
        var gpu = new DeviceId(GPU, "shared-node-0/shared", "gpu-0");
        assertThat(scenario.devices("pod-a")).containsExactly(gpu);
        assertThat(scenario.devices("pod-b")).containsExactly(gpu);
        assertThat(consumed(scenario, "pod-a").get("memory")).isEqualTo(new Quantity("10Gi"));
        assertThat(consumed(scenario, "pod-b").get("memory")).isEqualTo(new Quantity("20Gi"));
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
        scenario.awaitUnschedulable("pod-vgpu");

        // When
        scenario.deletePod("pod-b");

        // Then
        scenario.awaitRunning("pod-c");
        scenario.deletePod("pod-a");
        scenario.deletePod("pod-c");
        scenario.awaitRunning("pod-vgpu");
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

    /** NVIDIA's driver has no request policy for engines. */
    @ParameterizedTest
    @EnumSource
    void requestTakesAllEnginesOfAMigDeviceUnlessItNamesAmounts(AllocatorName allocator) {
        try (var pods = cluster.scenario(allocator)) {
            // Given
            fakeGpus.create("shared-mig", """
                    {allocator: %s, nodes: {simulated: {count: 1}}, model: A100-SXM4-40GB, sharing: {mode: Memory},
                     partitions: {whole: false, mig: {profiles: [7g.40gb]}}}
                    """.formatted(allocator));
            fakeGpus.awaitReady("shared-mig");
            Map<String, Quantity> half = quantities("memory=19Gi multiprocessors=49 copyEngines=3 decoders=2"
                    + " jpegEngines=0 ofaEngines=0 encoders=0");

            // When
            pod(pods, "greedy", MIG, quantities("memory=1Gi"));
            pods.awaitRunning("greedy");
            pod(pods, "half-1", MIG, half);

            // Then
            assertThat(consumed(pods, "greedy"))
                    .containsEntry("memory", new Quantity("1Gi"))
                    .containsEntry("multiprocessors", new Quantity("98"))
                    .containsEntry("copyEngines", new Quantity("7"));
            pods.awaitUnschedulable(
                    "half-1",
                    allocator == AllocatorName.Companion
                            ? "gpu-0-mig-7g40gb-0-0 has 0 copyEngines left where 3 are needed"
                            : "cannot allocate all claims");

            // When
            pods.deletePod("greedy");
            pod(pods, "half-2", MIG, half);

            // Then
            pods.awaitRunning("half-1");
            pods.awaitRunning("half-2");
            assertThat(pods.devices("half-1"))
                    .isEqualTo(pods.devices("half-2"))
                    .extracting(DeviceId::device)
                    .containsExactly("gpu-0-mig-7g40gb-0-0");
            assertThat(consumed(pods, "half-2")).isEqualTo(half);
        }
    }

    private static Map<String, Quantity> quantities(String text) {
        return Arrays.stream(text.split(" "))
                .map(amount -> amount.split("="))
                .collect(Collectors.toMap(amount -> amount[0], amount -> new Quantity(amount[1])));
    }

    private static Map<String, Quantity> consumed(ClusterScenario pods, String claim) {
        return Allocations.results(pods.storedClaim(claim)).get(0).getConsumedCapacity();
    }

    private void podWithMemory(String name, String memory) {
        pod(scenario, name, GPU, Map.of("memory", new Quantity(memory)));
    }

    private static void pod(ClusterScenario scenario, String name, String deviceClass, Map<String, Quantity> capacity) {
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
