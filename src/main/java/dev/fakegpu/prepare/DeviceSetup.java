package dev.fakegpu.prepare;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device of a claim as it is set up for containers.
 *
 * @param allocated the device of the allocation
 * @param container what containers get for it: this device, unless a fault makes it another one
 * @param device what is known of the device that containers get
 * @param settings what the claim configures for it, by name in capitals
 * @param fault the injected fault that made it another one, in its words
 */
public record DeviceSetup(
        DeviceId allocated,
        ContainerDevice container,
        Device device,
        Map<String, String> settings,
        @Nullable String fault) {

    /** As it should be. */
    public DeviceSetup(DeviceId allocated, @Nullable String shareId, Device device, Map<String, String> settings) {
        this(allocated, new ContainerDevice(allocated, shareId), device, settings, null);
    }

    public Map<String, String> env() {
        return container.env(device, settings);
    }

    DeviceSetup insteadOf(DeviceId other, Device known, String injected) {
        return new DeviceSetup(allocated, new ContainerDevice(other, container.shareId()), known, settings, injected);
    }

    /** For people who look at the claim. */
    String description() {
        return fault == null
                ? "the device is set up"
                : "%s: containers get %s instead of it"
                        .formatted(fault, container.id().device());
    }
}
