package dev.fakegpu.engine.cel.value;

import com.google.common.primitives.UnsignedLong;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds keys in maps and elements in lists. Equal numbers of different types are the same key. */
public final class Lookup {

    private Lookup() {}

    /** The value of a key, or a {@link Failure}. */
    public static Object get(Object from, Object key) {
        Object value = find(from, key);
        if (value != null) {
            return value;
        }
        return from instanceof List<?> ? new Failure("index out of bounds: " + key) : Failure.noSuchKey(from, key);
    }

    /** The value of a key; null if the key is missing, or a {@link Failure} if no key can have that type. */
    public static @Nullable Object find(Object from, Object key) {
        if (!isKey(key)) {
            return new Failure("invalid qualifier type: " + TypeName.of(key));
        }
        if (from instanceof Map<?, ?> map) {
            return inMap(map, key);
        }
        return from instanceof List<?> list ? inList(list, key) : null;
    }

    private static boolean isKey(Object key) {
        return key instanceof String
                || key instanceof Long
                || key instanceof Boolean
                || key instanceof UnsignedLong
                || key instanceof Double;
    }

    /**
     * Rejects keys that no map can have. Hashing one could take forever, since a list can contain another one many times.
     *
     * @throws Failure if the key is a list, a map or an optional
     */
    public static void requireKey(Object key) {
        if (key instanceof List<?> || key instanceof Map<?, ?> || key instanceof Optional<?>) {
            throw new Failure("unsupported key type: " + TypeName.of(key));
        }
    }

    /** The value of a key of a map, or null. An unknown domain of a device has an empty map as its value. */
    public static @Nullable Object inMap(Map<?, ?> map, Object key) {
        Object value = map.get(key);
        if (value != null || key instanceof String || key instanceof Boolean) {
            return value;
        }
        for (Object equalKey : Numbers.equalValues(key)) {
            Object found = map.get(equalKey);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** The operator {@code in}. It does not find an unknown domain of a device, although {@link #inMap} does. */
    public static boolean contains(Map<?, ?> map, Object key) {
        requireKey(key);
        return Numbers.equalValues(key).stream().anyMatch(map::containsKey);
    }

    private static @Nullable Object inList(List<?> list, Object key) {
        Long index = Numbers.asIndex(key);
        if (index == null) {
            return new Failure("unsupported index type '" + TypeName.of(key) + "' in list");
        }
        return index >= 0 && index < list.size() ? list.get(index.intValue()) : null;
    }
}
