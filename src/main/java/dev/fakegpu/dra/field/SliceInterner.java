package dev.fakegpu.dra.field;

import dev.fakegpu.dra.ArrayMap;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Replaces equal parts of devices by one object, so that devices that differ only in names, UUIDs and bus addresses share everything else,
 * in all slices. It remembers a bounded number of parts, those that were seen last. A rare part that is forgotten costs nothing, whereas
 * remembering it for as long as a slice has it would cost more than the part itself. Thread-safe.
 */
public final class SliceInterner {

    /** The interner for slices that are read and for slices that are published. */
    public static final SliceInterner SHARED = new SliceInterner();

    /** All models of the catalog together have a few thousand parts that nodes share. */
    private static final int SETS = 1 << 13;

    private static final int PARTS_OF_A_SET = 4;

    /** A set-associative cache: the hash of a part selects {@value #PARTS_OF_A_SET} adjacent places, which are in order of last use. */
    private final AtomicReferenceArray<Object> parts = new AtomicReferenceArray<>(SETS * PARTS_OF_A_SET);

    /** Returns an equal slice with shared parts. */
    public Slice intern(Slice slice) {
        return slice.withCounterSets(one(slice.counterSets())).mapDevices(this::intern);
    }

    /** Returns an equal, shared value. */
    public AttributeValue intern(AttributeValue value) {
        return one(value);
    }

    /** Returns an equal device with shared parts. */
    public Device intern(Device device) {
        return SliceFields.DEVICE.map(device, (field, part) -> switch (field) {
            case "attributes" -> attributes(device.attributes());
            case "nodes" -> part;
            default -> part == null ? null : one(part);
        });
    }

    /** Some values differ in each device, so only the list of names is shared as a whole. */
    private Map<String, AttributeValue> attributes(Map<String, AttributeValue> attributes) {
        if (!(attributes instanceof ArrayMap<String, AttributeValue> array)) {
            return attributes;
        }
        List<AttributeValue> values = array.valueList().stream().map(this::one).toList();
        return new ArrayMap<>(one(array.keyList()), values);
    }

    /** Without locks, two threads may each keep their own copy or forget a part too early, which does no harm. */
    @SuppressWarnings("unchecked") // equal parts have the same class
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
        int hash = part.hashCode() * 0x9E3779B9; // spreads hashes that differ in only a few bits
        return hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(SETS));
    }
}
