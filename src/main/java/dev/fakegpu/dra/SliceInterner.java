package dev.fakegpu.dra;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import java.util.List;
import java.util.Map;

/**
 * Makes equal parts of devices one object, so that devices that are alike but for their names, UUIDs and bus addresses share the rest, in
 * all slices. Remembers a part as long as a slice has it. Thread-safe.
 */
public final class SliceInterner {

    /** For slices that are read and for those that are published. */
    public static final SliceInterner SHARED = new SliceInterner();

    private final Interner<Object> parts = Interners.newWeakInterner();

    /** An equal slice. */
    public Slice intern(Slice slice) {
        return slice.withCounterSets(one(slice.counterSets())).mapDevices(this::intern);
    }

    /** An equal value. */
    public AttributeValue intern(AttributeValue value) {
        return one(value);
    }

    /** An equal device. */
    public Device intern(Device device) {
        return new Device(
                one(device.name()),
                attributes(device.attributes()),
                one(device.capacity()),
                one(device.consumesCounters()),
                one(device.taints()),
                device.allowMultipleAllocations(),
                device.nodes(),
                one(device.binding()));
    }

    /** Attributes have a few values of their own in each device, so only names are shared as a whole. */
    private Map<String, AttributeValue> attributes(Map<String, AttributeValue> attributes) {
        if (!(attributes instanceof ArrayMap<String, AttributeValue> array)) {
            return attributes;
        }
        List<AttributeValue> values = array.valueList().stream().map(this::one).toList();
        return new ArrayMap<>(one(array.keyList()), values);
    }

    @SuppressWarnings("unchecked") // an interner returns an equal object of the same class
    private <T> T one(T part) {
        return (T) parts.intern(part);
    }
}
