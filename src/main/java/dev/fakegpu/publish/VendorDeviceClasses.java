package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpuSpec;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The DeviceClasses of a driver, as NVIDIA's driver names and selects them
 * (dra-driver-nvidia-gpu, {@code deployments/helm/…/templates/deviceclass-*.yaml}; the vGPU class after its vGPU design), or with
 * models that have no types as dra-example-driver does.
 */
final class VendorDeviceClasses {
    private VendorDeviceClasses() {}

    /**
     * What is to be in a class.
     *
     * @param selector CEL expression
     * @param extendedResourceName what pods can ask for instead of a claim (KEP-5004); null for nothing
     */
    record Content(String selector, @Nullable String extendedResourceName) {}

    /**
     * Classes by name, for all FakeGpus of one driver that want classes.
     *
     * <p>With a model of NVIDIA's: {@code gpu.x} for whole GPUs, {@code mig.x}, {@code vgpu.gpu.x} and {@code vfio.gpu.x}. Otherwise
     * one class named like the driver, for all of its devices. Extended resources are {@code x/gpu}, and of custom hardware, which
     * may be anything, there are none.
     *
     * @param hasTypes whether the devices of a spec say by an attribute what they are
     */
    static Map<String, Content> of(String driver, Collection<FakeGpuSpec> specs, Predicate<FakeGpuSpec> hasTypes) {
        var classes = new LinkedHashMap<String, Content>();
        var managed = specs.stream()
                .filter(spec -> spec.deviceClasses() == FakeGpuSpec.DeviceClasses.Managed)
                .toList();
        boolean models = managed.stream().anyMatch(spec -> spec.model() != null);
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

    /** {@code nvidia.com} for {@code gpu.nvidia.com}; drivers that are not named that way stand for themselves. */
    private static String vendor(String driver) {
        return driver.startsWith("gpu.") ? driver.substring("gpu.".length()) : driver;
    }

    private static String ofType(String driver, String type) {
        return "device.driver == '%1$s' && device.attributes['%1$s'].type == '%2$s'".formatted(driver, type);
    }
}
