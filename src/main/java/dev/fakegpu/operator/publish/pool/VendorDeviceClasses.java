package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpuSpec;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The DeviceClasses of a driver. Names and selectors are those of NVIDIA's driver (dra-driver-nvidia-gpu, {@code
 * deployments/helm/…/templates/deviceclass-*.yaml}; the vGPU class follows its vGPU design). For models without device types, they are
 * those of dra-example-driver.
 */
final class VendorDeviceClasses {
    private VendorDeviceClasses() {}

    /**
     * The content of a DeviceClass.
     *
     * @param selector CEL expression
     * @param extendedResourceName the extended resource that pods can request instead of a claim (KEP-5004); null for none
     */
    record Content(String selector, @Nullable String extendedResourceName) {}

    /**
     * The classes of all FakeGpus of one driver with {@code spec.deviceClasses: Managed}, by name.
     *
     * <p>For driver {@code gpu.x} with an NVIDIA model, these are {@code gpu.x} for whole GPUs, {@code mig.x}, {@code vgpu.gpu.x} and
     * {@code vfio.gpu.x}. Otherwise, a single class with the name of the driver selects all devices. The extended resource for whole GPUs
     * is {@code x/gpu}; custom hardware and other kinds of hardware have none, since they may be anything.
     *
     * @param hasTypes whether the devices of a spec have the attribute {@code type}
     * @param hasEqualParts whether its model is one of those of dra-example-driver
     */
    static Map<String, Content> of(
            String driver,
            Collection<FakeGpuSpec> specs,
            Predicate<FakeGpuSpec> hasTypes,
            Predicate<FakeGpuSpec> hasEqualParts) {
        var classes = new LinkedHashMap<String, Content>();
        var managed = specs.stream()
                .filter(spec -> spec.deviceClasses() == FakeGpuSpec.DeviceClasses.Managed)
                .toList();
        boolean models = managed.stream().anyMatch(hasEqualParts);
        if (managed.stream().anyMatch(hasTypes)) {
            classes.put(driver, new Content(ofType(driver, "gpu"), vendor(driver) + "/gpu"));
            classes.put("mig." + vendor(driver), new Content(ofType(driver, "mig"), null));
            classes.put("vgpu." + driver, new Content(ofType(driver, "vgpu"), null));
            classes.put("vfio." + driver, new Content(ofType(driver, "vfio"), null));
        } else if (!managed.isEmpty()) {
            classes.put(
                    driver,
                    new Content("device.driver == '%s'".formatted(driver), models ? vendor(driver) + "/gpu" : null));
        }
        return classes;
    }

    /** {@code nvidia.com} for {@code gpu.nvidia.com}; the whole name for drivers without the prefix {@code gpu.}. */
    private static String vendor(String driver) {
        return driver.startsWith("gpu.") ? driver.substring("gpu.".length()) : driver;
    }

    private static String ofType(String driver, String type) {
        return "device.driver == '%1$s' && device.attributes['%1$s'].type == '%2$s'".formatted(driver, type);
    }
}
