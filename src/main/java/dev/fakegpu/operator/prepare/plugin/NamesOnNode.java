package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.ContainerDevice;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which names a container may get twice. Names of devices are unique in their pool only, and a container may have devices of several
 * pools and drivers.
 *
 * @param ofDriver the devices that the driver publishes to the node, as stored now
 * @param ofAll the devices that all drivers publish to the node, as far as it is known
 * @param prepared what the driver has prepared; its pools may be gone
 */
record NamesOnNode(Set<DeviceId> ofDriver, Set<DeviceId> ofAll, Checkpoint prepared) {

    boolean areOfSeveral(ContainerDevice device) {
        DeviceId id = device.id();
        return Stream.concat(ofDriver.stream(), ofAll.stream())
                        .anyMatch(other -> other.device().equals(id.device())
                                && !other.poolId().equals(id.poolId()))
                || prepared.claims().stream()
                        .flatMap(claim -> claim.results().stream())
                        .anyMatch(other -> other.label().equals(device.label())
                                && !other.container().id().equals(id));
    }
}
