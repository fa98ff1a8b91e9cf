package dev.fakegpu.hardware.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.api.LoadSpec.Mode;
import dev.fakegpu.api.LoadSpec.Point;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.inventory.GpuMemory;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NvmlReadingsTest {

    private static final FakeGpuSpec SPEC = Specs.spec(
            "{model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}");
    private static final Inventory A100 = Specs.plan(SPEC);
    private static final GpuMemory MEMORY = Specs.PLANNER.gpuMemory(SPEC, "fake");

    @Test
    void aGpuIsAsBusyAsInTheMetrics() {
        assertThat(of("gpu-0", new LoadSpec(Mode.FollowPods, 40, 25, List.of())))
                .containsOnly(
                        Map.entry("memoryTotalMiB", "40960"),
                        Map.entry("busId", "0000144C:01:00.0"),
                        Map.entry("memoryUsedMiB", "10240"),
                        Map.entry("memoryFreeMiB", "30720"),
                        Map.entry("utilizationGpu", "40"),
                        Map.entry("utilizationMemory", "24"),
                        Map.entry("temperatureGpu", "48"),
                        Map.entry("temperatureMemory", "54"),
                        Map.entry("powerDrawW", "193"),
                        Map.entry("smClockMHz", "690"),
                        Map.entry("memoryClockMHz", "1215"));
    }

    @Test
    void aGpuHasTheMemoryThatNvmlReports() {
        Inventory l40s = Specs.plan(Specs.spec("{model: L40S, count: 1, partitions: {whole: true, vfio: true}}"));

        assertThat(NvmlReadings.of(l40s.devices().get(0), l40s.counterSets(), LoadSpec.DEFAULT, GpuMemory.AS_PUBLISHED))
                .containsEntry("memoryTotalMiB", "46068");
    }

    @Test
    void aMigDeviceHasMemoryOfItsOwnAndTheMetricsInstanceId() {
        assertThat(of("gpu-0-mig-1g5gb-19-3", LoadSpec.DEFAULT))
                .containsOnly(
                        Map.entry("memoryTotalMiB", "4864"),
                        Map.entry("busId", "0000144C:01:00.0"),
                        Map.entry("gpuInstanceId", "10"),
                        Map.entry("memoryUsedMiB", "4864"),
                        Map.entry("memoryFreeMiB", "0"));
    }

    @Test
    void aStaticMigDeviceHasTheSameInstanceIdAsADynamicOne() {
        Inventory node = Specs.plan(
                Specs.spec("{model: A100-SXM4-40GB, count: 1, partitions: {mig: {static: [{devices: {1g.5gb: 7}}]}}}"));

        assertThat(NvmlReadings.of(node.devices().get(3), node.counterSets(), LoadSpec.DEFAULT, GpuMemory.AS_PUBLISHED))
                .containsAllEntriesOf(of("gpu-0-mig-1g5gb-19-3", LoadSpec.DEFAULT));
    }

    @Test
    void aVgpuHasItsPartOfTheFramebuffer() {
        assertThat(of("vgpu-gpu-0-10c-0", LoadSpec.DEFAULT))
                .containsEntry("memoryTotalMiB", "10240")
                .containsEntry("utilizationGpu", "100")
                .doesNotContainKey("temperatureGpu");
    }

    @Test
    void whatFollowsACurveIsNotKnown() {
        var curve = new LoadSpec(Mode.Curve, null, null, List.of(new Point(0, 10), new Point(60, 90)));

        assertThat(of("gpu-0", curve)).containsOnlyKeys("memoryTotalMiB", "busId");
    }

    @Test
    void hardwareWithoutAnAddressHasNoneOfTheMetrics() {
        var device = new Device("foo-0", Map.of(), Map.of(), List.of(), List.of());

        assertThat(NvmlReadings.of(device, List.of(), LoadSpec.DEFAULT, GpuMemory.AS_PUBLISHED))
                .isEmpty();
    }

    private static Map<String, String> of(String name, LoadSpec load) {
        Device device = A100.devices().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return NvmlReadings.of(device, A100.counterSets(), load, MEMORY);
    }
}
