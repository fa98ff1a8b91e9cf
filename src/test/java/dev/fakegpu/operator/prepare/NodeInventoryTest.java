package dev.fakegpu.operator.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.DeviceId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeInventoryTest {

    /** The slice has 40192 MiB, the maximum of all MIG profiles, so the amount that NVML reports comes from the FakeGpu's model. */
    @Test
    void toolsSeeTheMemoryThatNvmlReports() {
        var inventory = new FakeGpuNode(
                        "{driver: gpu.nvidia.com, nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [7g.40gb]}}}")
                .inventory();

        assertThat(memory(inventory, "gpu-0")).isEqualTo("40960");
        assertThat(memory(inventory, "gpu-0-mig-7g40gb-0-0")).isEqualTo("40192");
    }

    private static String memory(NodeInventory inventory, String name) {
        var id = new DeviceId("gpu.nvidia.com", "node-1/fake", name);
        var device = inventory.hardware().device(id).orElseThrow();
        return inventory
                .readings(new DeviceSetup(id, null, device, Map.of(), Set.of()))
                .get("memoryTotalMiB");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            model: LATEST-GPU-MODEL                                                  | gpu-0 | DRA_EXAMPLE_DRIVER
            model: LATEST-GPU-MODEL, attributes: {type: {string: gpu}}               | gpu-0 | DRA_EXAMPLE_DRIVER
            model: LATEST-GPU-MODEL, containers: {conventions: [run-ai]}             | gpu-0 | DRA_EXAMPLE_DRIVER, RUN_AI
            model: L40S                                                              | gpu-0 | NVIDIA
            model: L40S, containers: {conventions: [dra-example-driver, nvidia]}     | gpu-0 | DRA_EXAMPLE_DRIVER, NVIDIA
            custom: {devices: [{name: a}]}                                           | a     |
            custom: {devices: [{name: a}]}, containers: {conventions: [nvidia]}      | a     | NVIDIA
            custom: {devices: [{name: a, attributes: {type: {string: mig}}}]}        | a     | NVIDIA
            custom: {devices: [{name: a, attributes: {type: {string: other}}}]}      | a     |
            """)
    void theModelSaysWhoseConventionsADeviceFollows(String spec, String name, @Nullable String conventions) {
        for (String driver : List.of("gpu.example.com", "gpu.nvidia.com", "my-gpus.example.com")) {
            var inventory =
                    new FakeGpuNode("{driver: %s, nodes: {names: [node-1]}, %s}".formatted(driver, spec)).inventory();
            var id = new DeviceId(driver, "node-1/fake", name);

            assertThat(inventory.conventions(
                            id.poolId(), inventory.hardware().device(id).orElseThrow()))
                    .extracting(Convention::name)
                    .containsExactlyInAnyOrder(conventions == null ? new String[0] : conventions.split(", "));
        }
    }
}
