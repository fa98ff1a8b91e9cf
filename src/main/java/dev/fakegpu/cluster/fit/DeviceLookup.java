package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SliceIndex;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the devices that allocations name. */
@FunctionalInterface
public interface DeviceLookup {

    DeviceLookup NONE = (device, node) -> Optional.empty();

    /**
     * The device according to its slice; empty if there is none.
     *
     * @param node that must reach the device; null for any
     */
    Optional<Device> find(DeviceId device, @Nullable NodeInfo node);

    /** According to the newest of the slices that have the device, whether or not they are complete. */
    static DeviceLookup in(SliceIndex index) {
        return (id, node) -> index.slices(id.poolId()).stream()
                .sorted(Comparator.comparingLong(Slice::generation).reversed())
                .flatMap(slice -> slice.devices().stream()
                        .filter(device -> device.name().equals(id.device()))
                        .filter(device -> node == null || slice.nodesOf(device).matches(node.name(), node.labels())))
                .findFirst();
    }
}
