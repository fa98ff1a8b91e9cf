package dev.fakegpu.dra;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Makes equal parts of devices one object, so that devices that are alike but for their names, UUIDs and bus addresses share the rest, in
 * all slices. Remembers a bounded number of parts, those that were seen last: a part that few slices have costs nothing once it is
 * forgotten, while one that is remembered for as long as a slice has it costs more than the part itself. Thread-safe.
 */
public final class SliceInterner {

    /** For slices that are read and for those that are published. */
    public static final SliceInterner SHARED = new SliceInterner();

    /** All models of the catalog together have some thousands of parts that nodes share. */
    private static final int SETS = 1 << 13;

    private static final int PARTS_OF_A_SET = 4;

    /** As many parts as could be at a place by their hash, next to each other, those first that were seen last. */
    private final AtomicReferenceArray<Object> parts = new AtomicReferenceArray<>(SETS * PARTS_OF_A_SET);

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
        return SliceFields.DEVICE.map(device, (field, part) -> switch (field) {
            case "attributes" -> attributes(device.attributes());
            case "nodes" -> part;
            default -> part == null ? null : one(part);
        });
    }

    /** Attributes have a few values of their own in each device, so only names are shared as a whole. */
    private Map<String, AttributeValue> attributes(Map<String, AttributeValue> attributes) {
        if (!(attributes instanceof ArrayMap<String, AttributeValue> array)) {
            return attributes;
        }
        List<AttributeValue> values = array.valueList().stream().map(this::one).toList();
        return new ArrayMap<>(one(array.keyList()), values);
    }

    /** Two threads may each keep a copy of their own, or forget a part too early; neither does harm. */
    @SuppressWarnings("unchecked") // an equal part is of the same class
    private <T> T one(T part) {
        int first = set(part) * PARTS_OF_A_SET;
        Object moved = parts.get(first);
        if (part.equals(moved)) {
            return (T) moved;
        }
        for (int i = first + 1; i < first + PARTS_OF_A_SET; i++) {
            Object known = parts.get(i);
            parts.set(i, moved);
            if (part.equals(known)) {
                parts.set(first, known);
                return (T) known;
            }
            moved = known;
        }
        parts.set(first, part);
        return part;
    }

    private static int set(Object part) {
        int hash = part.hashCode() * 0x9E3779B9; // spreads hashes that differ in a few bits only
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(SETS));
    }
}
