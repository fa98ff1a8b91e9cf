package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NvmlGpuTest {

    @Test
    void withMigDevicesLessIsPublishedThanNvmlReports() {
        NvmlGpu memory = memory("{model: A100-SXM4-40GB, partitions: {mig: {profiles: [All]}}}");

        assertThat(memory.reported(40192)).isEqualTo(40960);
        assertThat(memory.reported(46068))
                .as("of another model, while devices in use keep what was published")
                .isEqualTo(46068);
    }

    @Test
    void withoutMigDevicesNvmlReportsWhatIsPublished() {
        NvmlGpu l40s = memory("{model: L40S}");

        assertThat(l40s.publishedMiB()).isEqualTo(46068);
        assertThat(l40s.reportedMiB()).isEqualTo(46068);
    }

    @Test
    void overridesOfTheModelCount() {
        NvmlGpu gpu = memory("{model: A100-SXM4-40GB, modelOverrides: {identity: {nvmlMemoryMiB: 40500},"
                + " telemetry: {powerW: {limit: 300}}}, partitions: {mig: {profiles: [1g.5gb]}}}");

        assertThat(gpu.publishedMiB()).isEqualTo(40192);
        assertThat(gpu.reportedMiB()).isEqualTo(40500);
        assertThat(gpu.telemetry().powerW().limit()).isEqualTo(300);
    }

    @Test
    void nothingIsKnownAboutOtherHardware() {
        assertThat(memory("{model: LATEST-GPU-MODEL}")).isEqualTo(NvmlGpu.UNKNOWN);
        assertThat(memory("{custom: {devices: [{name: foo-0}]}}")).isEqualTo(NvmlGpu.UNKNOWN);
        assertThat(memory("{model: NO-SUCH-MODEL}")).isEqualTo(NvmlGpu.UNKNOWN);
    }

    @ParameterizedTest
    @MethodSource("dev.fakegpu.hardware.inventory.Specs#gpuModels")
    void thePublishedMemoryOfAModelMapsToWhatNvmlReports(String model) {
        var spec = Specs.everything(model, 1);
        var gpu = (GpuModel) Catalog.builtIn().find(model).orElseThrow();
        var whole = Specs.plan(spec).devices().stream()
                .filter(device -> device.name().equals("gpu-0"))
                .findFirst()
                .orElseThrow();
        long published = whole.capacity().get("memory").value().value().longValueExact() >> 20;

        assertThat(Specs.PLANNER.nvmlGpu(spec, "fake").reported(published))
                .isEqualTo(gpu.identity().reportedMemoryMiB());
    }

    private static NvmlGpu memory(String spec) {
        return Specs.PLANNER.nvmlGpu(Specs.spec(spec), "fake");
    }
}
