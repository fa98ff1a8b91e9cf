package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import java.util.Optional;

/** The attribute that identifies the kind of partition of a device, such as {@code 1g.5gb}. */
public final class PartitionTypeAttribute {

    /**
     * The attribute in which NVIDIA's driver publishes the profile of MIG devices. It is the default because most API servers do not yet
     * store which attribute it is.
     */
    private static final String PROFILE = "profile";

    private PartitionTypeAttribute() {}

    /** The fully qualified name: the one in the slice, or otherwise {@code profile} of its driver. */
    public static String of(Slice slice) {
        String named = slice.partitionTypeAttribute();
        return named == null ? slice.pool().driver() + "/" + PROFILE : named;
    }

    /**
     * The device's value, if it is a string. If the slice names the attribute, only devices that consume counters have a type (KEP-5677).
     */
    public static Optional<String> value(Slice slice, Device device) {
        if (slice.partitionTypeAttribute() != null && device.consumesCounters().isEmpty()) {
            return Optional.empty();
        }
        String attribute = of(slice);
        String domain = slice.pool().driver() + "/";
        AttributeValue qualified = device.attributes().get(attribute);
        AttributeValue value = qualified == null && attribute.startsWith(domain)
                ? device.attributes().get(attribute.substring(domain.length()))
                : qualified;
        return value instanceof AttributeValue.StringValue text ? Optional.of(text.value()) : Optional.empty();
    }
}
