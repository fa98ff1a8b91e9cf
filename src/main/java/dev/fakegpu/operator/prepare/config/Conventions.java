package dev.fakegpu.operator.prepare.config;

import dev.fakegpu.api.ContainersSpec;
import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.Device;
import java.util.EnumSet;
import java.util.Set;

/**
 * Determines whose conventions a device follows: those of the driver that has such devices, and those that the FakeGpu adds. The driver
 * name of the FakeGpu does not matter, since vendors' charts let users choose it.
 */
public final class Conventions {

    private static final Set<String> NVIDIA_TYPES = Set.of("gpu", "mig", "vgpu", "vfio");

    private Conventions() {}

    /** @param hasEqualParts whether the device's model is one of those of dra-example-driver */
    public static Set<Convention> of(boolean hasEqualParts, ContainersSpec added, Device device) {
        var conventions = EnumSet.noneOf(Convention.class);
        conventions.addAll(added.conventions());
        if (hasEqualParts) {
            conventions.add(Convention.DRA_EXAMPLE_DRIVER);
        } else if (device.text("type").filter(NVIDIA_TYPES::contains).isPresent()) {
            conventions.add(Convention.NVIDIA);
        }
        return Set.copyOf(conventions);
    }
}
