package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.catalog.GpuModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GpuMemoryTest {

    @Test
    void withMigDevicesLessIsPublishedThanNvmlReports() {
        GpuMemory memory = memory("{model: A100-SXM4-40GB, partitions: {mig: {profiles: [All]}}}");

        assertThat(memory.reported(40192)).isEqualTo(40960);
        assertThat(memory.reported(46068))
                .as("of another model, while devices in use keep what was published")
                .isEqualTo(46068);
    }

    @Test
    void withoutMigDevicesNvmlReportsWhatIsPublished() {
        assertThat(memory("{model: L40S}")).isEqualTo(new GpuMemory(46068, 46068));
    }

    @Test
    void overridesOfTheModelCount() {
        assertThat(
                        memory(
                                "{model: A100-SXM4-40GB, modelOverrides: {identity: {nvmlMemoryMiB: 40500}}, partitions: {mig: {profiles: [1g.5gb]}}}"))
                .isEqualTo(new GpuMemory(40192, 40500));
    }

    @Test
    void ofOtherHardwareNothingIsKnown() {
        assertThat(memory("{model: LATEST-GPU-MODEL}")).isEqualTo(GpuMemory.AS_PUBLISHED);
        assertThat(memory("{custom: {devices: [{name: foo-0}]}}")).isEqualTo(GpuMemory.AS_PUBLISHED);
        assertThat(memory("{model: NO-SUCH-MODEL}")).isEqualTo(GpuMemory.AS_PUBLISHED);
    }

    @ParameterizedTest
    @MethodSource("dev.fakegpu.hardware.inventory.Specs#gpuModels")
    void whateverIsPublishedOfAModelStandsForWhatNvmlReports(String model) {
        var spec = Specs.everything(model, 1);
        var gpu = (GpuModel) Catalog.builtIn().find(model).orElseThrow();
        var whole = Specs.plan(spec).devices().stream()
                .filter(device -> device.name().equals("gpu-0"))
                .findFirst()
                .orElseThrow();
        long published = whole.capacity().get("memory").value().value().longValueExact() >> 20;

        assertThat(Specs.PLANNER.gpuMemory(spec, "fake").reported(published))
                .isEqualTo(gpu.identity().reportedMemoryMiB());
    }

    private static GpuMemory memory(String spec) {
        return Specs.PLANNER.gpuMemory(Specs.spec(spec), "fake");
    }
}
