package dev.fakegpu.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.inventory.Specs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceClassNamesTest {

    private static final String MODEL = "{model: L40S}";
    private static final String CUSTOM = "{custom: {devices: [{name: foo}]}}";

    @Test
    void modelHasTheClassesOfNvidiasDriver() {
        assertThat(selectors("gpu.nvidia.com", MODEL))
                .isEqualTo(Map.of(
                        "gpu.nvidia.com",
                        "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'",
                        "mig.nvidia.com",
                        "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'",
                        "vgpu.gpu.nvidia.com",
                        "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'vgpu'"));
    }

    @Test
    void driverThatDoesNotBeginWithGpuKeepsItsWholeName() {
        assertThat(selectors("accelerator.example.com", MODEL))
                .containsOnlyKeys(
                        "accelerator.example.com", "mig.accelerator.example.com", "vgpu.accelerator.example.com");
    }

    @Test
    void customHardwareHasOneClassForAllOfIt() {
        assertThat(selectors("gpu.example.com", CUSTOM))
                .isEqualTo(Map.of("gpu.example.com", "device.driver == 'gpu.example.com'"));
    }

    @Test
    void modelDecidesWhereBothUseADriver() {
        assertThat(selectors("gpu.example.com", CUSTOM, MODEL)).hasSize(3);
    }

    @Test
    void unmanagedOnesHaveNone() {
        assertThat(selectors("gpu.example.com", "{model: L40S, deviceClasses: Unmanaged}"))
                .isEmpty();
        assertThat(selectors("gpu.example.com", "{model: L40S, deviceClasses: Unmanaged}", CUSTOM))
                .containsOnlyKeys("gpu.example.com");
    }

    @Test
    void withoutFakeGpusThereAreNone() {
        assertThat(selectors("gpu.example.com")).isEmpty();
    }

    private static Map<String, String> selectors(String driver, String... specs) {
        List<FakeGpuSpec> parsed = Arrays.stream(specs).map(Specs::spec).toList();
        return DeviceClassNames.selectors(driver, parsed);
    }
}
