package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A published device and its slice. */
public record PoolDevice(DeviceId id, Device device, Slice slice) {

    PoolDevice(Device device, Slice slice) {
        this(slice.pool().device(device.name()), device, slice);
    }

    /** The nodes that can access the device. */
    public NodeSelection nodes() {
        return slice.nodesOf(device);
    }

    /** Whether both are equal and list the same capacities in the same order, as devices with the same object for them do. */
    @SuppressWarnings("ReferenceEquality")
    boolean isEqual(PoolDevice other) {
        return device == other.device || hasCapacityOf(other) && device.equals(other.device);
    }

    @SuppressWarnings("ReferenceEquality")
    boolean hasCapacityOf(PoolDevice other) {
        return device.capacity() == other.device.capacity();
    }

    /** Whether both have the same name and consume the same. */
    @SuppressWarnings("ReferenceEquality") // only to save time
    boolean isLike(PoolDevice other) {
        return device == other.device
                || device.name().equals(other.device.name())
                        && device.consumesCounters().equals(other.device.consumesCounters());
    }

    /** The attribute of that name, or else, in the driver's own domain, the one without a domain. */
    public @Nullable AttributeValue attribute(String qualifiedName) {
        Map<String, AttributeValue> attributes = device.attributes();
        AttributeValue value = attributes.get(qualifiedName);
        int slash = qualifiedName.indexOf('/');
        if (value != null || slash < 0) {
            return value;
        }
        return qualifiedName.substring(0, slash).equals(id.driver())
                ? attributes.get(qualifiedName.substring(slash + 1))
                : null;
    }
}
