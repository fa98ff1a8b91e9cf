package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpuSpec;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The DeviceClasses of a driver, as NVIDIA's driver names and selects them
 * (dra-driver-nvidia-gpu, {@code deployments/helm/…/templates/deviceclass-*.yaml}; the vGPU class after its vGPU design).
 */
final class DeviceClassNames {
    private DeviceClassNames() {}

    /**
     * CEL selector by class name, for all FakeGpus of one driver that want classes.
     *
     * <p>With a catalogue model: {@code gpu.x} for whole GPUs, {@code mig.x}, {@code vgpu.gpu.x}. With custom hardware only: one
     * class named like the driver, for all of its devices, since nothing is known of their types.
     */
    static Map<String, String> selectors(String driver, Collection<FakeGpuSpec> specs) {
        var selectors = new LinkedHashMap<String, String>();
        var managed = specs.stream()
                .filter(spec -> spec.deviceClasses() == FakeGpuSpec.DeviceClasses.Managed)
                .toList();
        if (managed.stream().anyMatch(spec -> spec.model() != null)) {
            selectors.put(driver, ofType(driver, "gpu"));
            selectors.put(migClass(driver), ofType(driver, "mig"));
            selectors.put("vgpu." + driver, ofType(driver, "vgpu"));
        } else if (!managed.isEmpty()) {
            selectors.put(driver, "device.driver == '%s'".formatted(driver));
        }
        return selectors;
    }

    private static String migClass(String driver) {
        return driver.startsWith("gpu.") ? "mig." + driver.substring("gpu.".length()) : "mig." + driver;
    }

    private static String ofType(String driver, String type) {
        return "device.driver == '%1$s' && device.attributes['%1$s'].type == '%2$s'".formatted(driver, type);
    }
}
