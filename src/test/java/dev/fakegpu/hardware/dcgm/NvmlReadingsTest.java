package dev.fakegpu.hardware.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.api.LoadSpec.Mode;
import dev.fakegpu.api.LoadSpec.Point;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.inventory.NvmlGpu;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NvmlReadingsTest {

    private static final FakeGpuSpec SPEC = Specs.spec(
            "{model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [1g.5gb]}, vgpu: {types: [10C]}}}");
    private static final Inventory A100 = Specs.plan(SPEC);
    private static final NvmlGpu GPU = Specs.PLANNER.nvmlGpu(SPEC, "fake");

    @Test
    void aGpuIsAsBusyAsInTheMetrics() {
        assertThat(of("gpu-0", new LoadSpec(Mode.FollowPods, 40, 25, List.of())))
                .containsAllEntriesOf(Map.ofEntries(
                        Map.entry("memoryTotalMiB", "40960"),
                        Map.entry("busId", "0000144C:01:00.0"),
                        Map.entry("memoryUsedMiB", "10240"),
                        Map.entry("memoryReservedMiB", "518"),
                        Map.entry("memoryFreeMiB", "30202"),
                        Map.entry("utilizationGpu", "40"),
                        Map.entry("utilizationMemory", "24"),
                        Map.entry("temperatureGpu", "51"),
                        Map.entry("temperatureMemory", "54"),
                        Map.entry("powerDrawW", "190"),
                        Map.entry("smClockMHz", "690"),
                        Map.entry("memoryClockMHz", "1215"),
                        Map.entry("videoClockMHz", "867")));
    }

    @Test
    void withoutALoadAGpuIsIdle() {
        assertThat(of("gpu-0", null))
                .containsEntry("memoryUsedMiB", "0")
                .containsEntry("utilizationGpu", "0")
                .containsEntry("powerDrawW", "50");
    }

    @Test
    void aGpuHasTheLimitsOfItsModel() {
        assertThat(of("gpu-0", LoadSpec.DEFAULT))
                .containsEntry("powerLimitW", "400")
                .containsEntry("nvlinks", "12")
                .containsEntry("migProfile.1g.5gb", "19,7,4864,14,1,0,0,0,0");
        assertThat(of("gpu-0", LoadSpec.DEFAULT).get("supportedClocksMHz").split(","))
                .hasSize(81)
                .startsWith("1410", "1395")
                .endsWith("210");
    }

    @Test
    void aGpuHasTheMemoryThatNvmlReports() {
        Inventory l40s = Specs.plan(Specs.spec("{model: L40S, count: 1, partitions: {whole: true, vfio: true}}"));

        assertThat(NvmlReadings.of(l40s.devices().get(0), l40s.counterSets(), LoadSpec.DEFAULT, NvmlGpu.UNKNOWN))
                .containsEntry("memoryTotalMiB", "46068");
    }

    @Test
    void aMigDeviceHasMemoryOfItsOwnAndTheMetricsInstanceId() {
        assertThat(of("gpu-0-mig-1g5gb-19-3", LoadSpec.DEFAULT))
                .containsAllEntriesOf(Map.of(
                        "memoryTotalMiB", "4864",
                        "busId", "0000144C:01:00.0",
                        "gpuInstanceId", "10",
                        "gpuInstanceProfileId", "19",
                        "gpuInstancePlacement", "3:1",
                        "memoryUsedMiB", "4864",
                        "memoryFreeMiB", "0",
                        "powerLimitW", "400"))
                .doesNotContainKeys("temperatureGpu", "utilizationGpu", "powerDrawW", "memoryReservedMiB");
    }

    @Test
    void aStaticMigDeviceHasTheSameInstanceIdAsADynamicOne() {
        Inventory node = Specs.plan(
                Specs.spec("{model: A100-SXM4-40GB, count: 1, partitions: {mig: {static: [{devices: {1g.5gb: 7}}]}}}"));

        assertThat(NvmlReadings.of(node.devices().get(3), node.counterSets(), LoadSpec.DEFAULT, GPU))
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
    void valuesThatFollowACurveAreNotKnown() {
        var curve = new LoadSpec(Mode.Curve, null, null, List.of(new Point(0, 10), new Point(60, 90)));

        assertThat(of("gpu-0", curve))
                .containsKeys("memoryTotalMiB", "busId", "powerLimitW")
                .doesNotContainKeys("memoryUsedMiB", "memoryFreeMiB", "utilizationGpu", "powerDrawW");
    }

    @Test
    void hardwareWithoutAnAddressHasNoneOfTheMetrics() {
        var device = new Device("foo-0", Map.of(), Map.of(), List.of(), List.of());

        assertThat(NvmlReadings.of(device, List.of(), LoadSpec.DEFAULT, NvmlGpu.UNKNOWN))
                .isEmpty();
    }

    private static Map<String, String> of(String name, @Nullable LoadSpec load) {
        Device device = A100.devices().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return NvmlReadings.of(device, A100.counterSets(), load, GPU);
    }
}
