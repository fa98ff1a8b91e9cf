package dev.fakegpu.operator.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.DeviceId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeInventoryTest {

    /** The slice has 40192 MiB, the maximum over the MIG profiles, so the model of the FakeGpu says what NVML reports. */
    @Test
    void toolsAreToldTheMemoryThatNvmlReports() {
        var inventory = new FakeGpuNode(
                        "{driver: gpu.nvidia.com, nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [7g.40gb]}}}")
                .inventory();

        assertThat(memory(inventory, "gpu-0")).isEqualTo("40960");
        assertThat(memory(inventory, "gpu-0-mig-7g40gb-0-0")).isEqualTo("40192");
    }

    private static String memory(NodeInventory inventory, String name) {
        var id = new DeviceId("gpu.nvidia.com", "node-1/fake", name);
        var device = inventory.hardware().device(id).orElseThrow();
        return inventory.readings(new DeviceSetup(id, null, device, Map.of())).get("memoryTotalMiB");
    }
}
