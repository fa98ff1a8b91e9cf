package dev.fakegpu.operator.prepare;

import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.dra.wire.DeviceStatuses;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a device of a claim is set up for containers.
 *
 * @param allocated the device of the allocation
 * @param container the device that containers get: the allocated one, unless an injected fault replaces it
 * @param vendorName the name of the device in the variables of vendors' drivers
 * @param device attributes of the device that containers get
 * @param settings the claim's configuration of the device, as suffixes of variable names and their values
 * @param conventions the drivers whose variables and mounts are added to containers
 * @param fault description of the injected fault that replaced the device; null if there is none
 * @param network null unless the device that containers get is a network interface
 */
public record DeviceSetup(
        DeviceId allocated,
        ContainerDevice container,
        String vendorName,
        Device device,
        Map<String, String> settings,
        Set<Convention> conventions,
        @Nullable String fault,
        @Nullable NetworkData network) {

    /** A setup without a fault. */
    public DeviceSetup(
            DeviceId allocated,
            @Nullable String shareId,
            Device device,
            Map<String, String> settings,
            Set<Convention> conventions) {
        this(
                allocated,
                new ContainerDevice(allocated, shareId),
                allocated.device(),
                device,
                settings,
                conventions,
                null,
                null);
    }

    DeviceSetup withNetwork(@Nullable NetworkData known) {
        return new DeviceSetup(allocated, container, vendorName, device, settings, conventions, fault, known);
    }

    public Map<String, String> env() {
        return container.env(device, settings);
    }

    /** The attributes of the device that monitoring needs, as far as they are known, with the names that dra-example-driver uses. */
    Map<String, AttributeValue> identity() {
        var attributes = device.attributes();
        var identity = new LinkedHashMap<String, AttributeValue>();
        identity.put(DeviceStatuses.UUID, AttributeValue.of(container.uuid(device)));
        Stream.of("model", "productName")
                .map(attributes::get)
                .flatMap(Stream::ofNullable)
                .findFirst()
                .ifPresent(model -> identity.put(DeviceStatuses.MODEL, model));
        var version = attributes.get("driverVersion");
        if (version != null) {
            identity.put(DeviceStatuses.DRIVER_VERSION, version);
        }
        return identity;
    }

    /**
     * Returns a setup whose names are unique on a node where another pool has a device with the same name.
     *
     * @param ofDriver whether that pool belongs to the same driver. Vendors' drivers know only their own pools, so the names of their
     *     variables change only in this case.
     */
    public DeviceSetup withPool(boolean ofDriver) {
        var unique = new ContainerDevice(container.id(), container.shareId(), true);
        return new DeviceSetup(
                allocated,
                unique,
                ofDriver ? unique.name() : vendorName,
                device,
                settings,
                conventions,
                fault,
                network);
    }

    DeviceSetup insteadOf(DeviceId other, Device known, String injected) {
        return new DeviceSetup(
                allocated,
                new ContainerDevice(other, container.shareId()),
                other.device(),
                known,
                settings,
                conventions,
                injected,
                null);
    }

    /** The message of the claim's condition. */
    String description() {
        return fault == null
                ? "the device is set up"
                : "%s: containers get %s instead of it"
                        .formatted(fault, container.id().device());
    }
}
