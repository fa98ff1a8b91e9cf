package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.DeviceSetup;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Determines which names a container could get twice. Names of devices are unique only in their pool, and a container may have devices of
 * several pools and drivers.
 *
 * @param ofDriver the devices that the driver publishes for the node, as stored now
 * @param ofAll the devices that all drivers publish for the node, as far as they are known
 * @param prepared what the driver has prepared; its pools may be gone
 */
record NamesOnNode(Set<DeviceId> ofDriver, Set<DeviceId> ofAll, Checkpoint prepared) {

    DeviceSetup unique(DeviceSetup setup) {
        DeviceId device = setup.container().id();
        boolean inDriver = isInOtherPool(device, Stream.concat(ofDriver.stream(), prepared.given()));
        return inDriver || isInOtherPool(device, ofAll.stream()) ? setup.withPool(inDriver) : setup;
    }

    /** Whether another pool has a device of this name. */
    private static boolean isInOtherPool(DeviceId device, Stream<DeviceId> devices) {
        return devices.anyMatch(other ->
                other.device().equals(device.device()) && !other.poolId().equals(device.poolId()));
    }
}
