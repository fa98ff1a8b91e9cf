package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;

/** A published device and its slice. */
public record PoolDevice(DeviceId id, Device device, Slice slice) {

    PoolDevice(Device device, Slice slice) {
        this(slice.pool().device(device.name()), device, slice);
    }

    /** The nodes that can reach it. */
    public NodeSelection nodes() {
        return slice.nodesOf(device);
    }
}
