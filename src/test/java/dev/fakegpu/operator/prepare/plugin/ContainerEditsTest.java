package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.ContainersSpec;
import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.operator.prepare.DeviceSetup;
import dev.fakegpu.operator.prepare.config.Conventions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which drivers' environment variables containers get, in addition to the golden files of {@link ContainerFilesTest}. */
class ContainerEditsTest {

    private static final String NVIDIA = "gpu.nvidia.com";
    private static final CompatibilityGroups GROUPS = new CompatibilityGroups(Map.of());

    @ParameterizedTest
    @ValueSource(strings = {"gpu-0", "gpu-0-mig-1g5gb-19-0", "vgpu-gpu-0-10c-0", "gpu-vfio-0"})
    void nvidiasRuntimeIsKeptFromAddingGpus(String name) {
        var edits = edits(NVIDIA, a100(name), Map.of(), GROUPS, Map.of());

        assertThat(edits.env()).containsOnly(Map.entry("NVIDIA_VISIBLE_DEVICES", "void"));
        assertThat(edits.byLabel().get(name).env().keySet())
                .allSatisfy(variable -> assertThat(variable).startsWith("FAKEGPU_DEVICE_"));
        assertThat(edits.hasMps()).isFalse();
    }

    @Test
    void hardwareOfNeitherDriverGetsTheVariablesOfThisProjectOnly() {
        var device = new Device("foo-0", Map.of(), Map.of(), List.of(), List.of());

        var edits = edits("gpu.example.com", device, Map.of("SHARING_STRATEGY", "MPS"), GROUPS, Map.of());

        assertThat(edits.env()).isEmpty();
        assertThat(edits.byLabel().get("foo-0").env())
                .containsOnlyKeys("FAKEGPU_DEVICE_FOO_0", "FAKEGPU_DEVICE_FOO_0_SHARING_STRATEGY");
        assertThat(edits.hasMps()).isFalse();
    }

    @Test
    void theExampleDriverNamesSharesAndAdminAccess() {
        var edits = edits(
                "my-gpus.example.com",
                new Device("gpu-3-partition-1", Map.of(), Map.of(), List.of(), List.of()),
                Map.of("SHARING_STRATEGY", "SpacePartitioning", "PARTITION_COUNT", "10"),
                null,
                Map.of("memory", Quantity.parse("20Gi"), "compute", Quantity.parse("25"), "other", Quantity.ONE),
                Convention.DRA_EXAMPLE_DRIVER);

        assertThat(edits.env())
                .containsEntry("DRA_ADMIN_ACCESS", "true")
                .containsEntry("KUBERNETES_NODE_NAME", "node-1")
                .containsEntry("DRA_RESOURCE_DRIVER_NAME", "my-gpus.example.com")
                .doesNotContainKey("NVIDIA_VISIBLE_DEVICES");
        assertThat(edits.byLabel().get("gpu-3-partition-1").env())
                .containsEntry("GPU_DEVICE_GPU_3_PARTITION_1_RESOURCE_CLAIM", Claims.uid("pod-a"))
                .containsEntry("GPU_DEVICE_3_PARTITION_1", "gpu-3-partition-1")
                .containsEntry("GPU_DEVICE_3_PARTITION_1_SHARING_STRATEGY", "SpacePartitioning")
                .containsEntry("GPU_DEVICE_3_PARTITION_1_PARTITION_COUNT", "10")
                .containsEntry("GPU_DEVICE_3_PARTITION_1_MEMORY", "20Gi")
                .containsEntry("GPU_DEVICE_3_PARTITION_1_COMPUTE", "25")
                .doesNotContainKey("GPU_DEVICE_3_PARTITION_1_OTHER");
    }

    @Test
    void theExampleDriverGivesNicsTheirRates() {
        var edits = edits(
                "net.example.com",
                new Device("nic-12", Map.of(), Map.of(), List.of(), List.of()),
                Map.of(),
                GROUPS,
                Map.of("ingressBandwidth", Quantity.parse("10G"), "vfs", Quantity.ONE),
                Convention.DRA_EXAMPLE_DRIVER);

        assertThat(edits.byLabel().get("nic-12").env())
                .containsOnlyKeys(
                        "FAKEGPU_DEVICE_NIC_12", "NET_DEVICE_NIC_12_RESOURCE_CLAIM", "NET_DEVICE_12_INGRESS_RATE")
                .containsEntry("NET_DEVICE_NIC_12_RESOURCE_CLAIM", Claims.uid("pod-a"))
                .containsEntry("NET_DEVICE_12_INGRESS_RATE", "10000000000");
    }

    @Test
    void runAisPluginNamesTheNodeAndTheDeviceAsTheyAre() {
        var edits = edits(NVIDIA, a100("gpu-0"), Map.of(), GROUPS, Map.of(), Convention.RUN_AI);

        assertThat(edits.env())
                .containsOnly(Map.entry("NVIDIA_VISIBLE_DEVICES", "void"), Map.entry("NODE_NAME", "node-1"));
        assertThat(edits.tools()).containsExactly("/usr/bin/nvidia-smi", "/bin/nvidia-smi");
        assertThat(edits.byLabel().get("gpu-0").env())
                .hasSize(4)
                .containsKey("FAKEGPU_DEVICE_GPU_0")
                .containsEntry("GPU_DEVICE_gpu_0", "gpu-0")
                .containsEntry("GPU_DEVICE_gpu_0_SHARING_STRATEGY", "TimeSlicing")
                .containsEntry("GPU_DEVICE_gpu_0_TIMESLICE_INTERVAL", "Default");
        assertThat(edits(NVIDIA, a100("gpu-0"), Map.of(), GROUPS, Map.of()).tools())
                .containsExactly("/usr/bin/nvidia-smi");
    }

    private static Device a100(String name) {
        return Specs.plan(
                        Specs.spec(
                                "{driver: gpu.nvidia.com, model: A100-SXM4-40GB, partitions: {whole: true, vfio: true, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}"))
                .devices()
                .stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static ContainerEdits edits(
            String driver,
            Device device,
            Map<String, String> settings,
            @Nullable CompatibilityGroups configuredFor,
            Map<String, Quantity> consumed,
            Convention... added) {
        var id = new DeviceId(driver, Claims.POOL, device.name());
        var result = new PreparedResult(id, List.of("gpu"), null, consumed, configuredFor);
        var claim = new PreparedClaim(Claims.ref("pod-a"), List.of(result));
        var conventions = Conventions.of(false, new ContainersSpec(List.of(added)), device);
        return ContainerEdits.of(
                driver,
                "node-1",
                claim,
                Map.of(device.name(), new DeviceSetup(id, null, device, settings, conventions)));
    }
}
