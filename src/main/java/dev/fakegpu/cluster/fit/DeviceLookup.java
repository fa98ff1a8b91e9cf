package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SliceIndex;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the devices that are named in allocations. */
@FunctionalInterface
public interface DeviceLookup {

    DeviceLookup NONE = (device, node) -> Optional.empty();

    /**
     * The device of a slice; empty if there is none.
     *
     * @param node the node that must be able to access the device; null for any
     */
    Optional<Device> find(DeviceId device, @Nullable NodeInfo node);

    /** Looks up the newest slice that has the device, whether or not its pool is complete. */
    static DeviceLookup in(SliceIndex index) {
        return (id, node) -> index.slices(id.poolId()).stream()
                .sorted(Comparator.comparingLong(Slice::generation).reversed())
                .flatMap(slice -> slice.devices().stream()
                        .filter(device -> device.name().equals(id.device()))
                        .filter(device -> node == null || slice.nodesOf(device).matches(node.name(), node.labels())))
                .findFirst();
    }
}
