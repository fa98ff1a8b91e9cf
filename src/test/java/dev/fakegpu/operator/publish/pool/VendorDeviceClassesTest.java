package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VendorDeviceClassesTest {

    private static final String MODEL = "{model: L40S}";
    private static final String EXAMPLE = "{model: LATEST-GPU-MODEL}";
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
                        "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'vgpu'",
                        "vfio.gpu.nvidia.com",
                        "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'vfio'"));
    }

    @Test
    void modelOfTheExampleDriverHasTheClassOfTheExampleDriver() {
        assertThat(selectors("gpu.example.com", EXAMPLE))
                .isEqualTo(Map.of("gpu.example.com", "device.driver == 'gpu.example.com'"));
        assertThat(selectors("gpu.example.com", EXAMPLE, MODEL)).hasSize(4);
    }

    @Test
    void wholeGpusAreAnExtendedResource() {
        assertThat(extendedResources("gpu.nvidia.com", MODEL)).isEqualTo(Map.of("gpu.nvidia.com", "nvidia.com/gpu"));
        assertThat(extendedResources("gpu.example.com", EXAMPLE))
                .isEqualTo(Map.of("gpu.example.com", "example.com/gpu"));
        assertThat(extendedResources("accelerator.example.com", MODEL))
                .isEqualTo(Map.of("accelerator.example.com", "accelerator.example.com/gpu"));
        assertThat(extendedResources("gpu.example.com", CUSTOM)).isEmpty();
    }

    @Test
    void driverThatDoesNotBeginWithGpuKeepsItsWholeName() {
        assertThat(selectors("accelerator.example.com", MODEL))
                .containsOnlyKeys(
                        "accelerator.example.com",
                        "mig.accelerator.example.com",
                        "vgpu.accelerator.example.com",
                        "vfio.accelerator.example.com");
    }

    @Test
    void customHardwareHasOneClassForAllOfIt() {
        assertThat(selectors("gpu.example.com", CUSTOM))
                .isEqualTo(Map.of("gpu.example.com", "device.driver == 'gpu.example.com'"));
    }

    @Test
    void modelsOfOtherHardwareHaveOneClassForAllOfIt() {
        assertThat(selectors("dra.net", "{model: ConnectX-7}"))
                .isEqualTo(Map.of("dra.net", "device.driver == 'dra.net'"));
        assertThat(extendedResources("dra.cpu", "{model: XEON-8480C}")).isEmpty();
    }

    @Test
    void modelDeterminesTheClassesOfASharedDriver() {
        assertThat(selectors("gpu.example.com", CUSTOM, MODEL)).hasSize(4);
    }

    @Test
    void unmanagedFakeGpusHaveNoClasses() {
        assertThat(selectors("gpu.example.com", "{model: L40S, deviceClasses: Unmanaged}"))
                .isEmpty();
        assertThat(selectors("gpu.example.com", "{model: L40S, deviceClasses: Unmanaged}", CUSTOM))
                .containsOnlyKeys("gpu.example.com");
    }

    @Test
    void noClassesExistWithoutFakeGpus() {
        assertThat(selectors("gpu.example.com")).isEmpty();
    }

    private static Map<String, String> selectors(String driver, String... specs) {
        var selectors = new HashMap<String, String>();
        classes(driver, specs).forEach((name, content) -> selectors.put(name, content.selector()));
        return selectors;
    }

    private static Map<String, String> extendedResources(String driver, String... specs) {
        var names = new HashMap<String, String>();
        classes(driver, specs).forEach((name, content) -> {
            if (content.extendedResourceName() != null) {
                names.put(name, content.extendedResourceName());
            }
        });
        return names;
    }

    private static Map<String, VendorDeviceClasses.Content> classes(String driver, String... specs) {
        List<FakeGpuSpec> parsed = Arrays.stream(specs).map(Specs::spec).toList();
        return VendorDeviceClasses.of(driver, parsed, Specs.PLANNER::hasTypes, Specs.PLANNER::hasEqualParts);
    }
}
