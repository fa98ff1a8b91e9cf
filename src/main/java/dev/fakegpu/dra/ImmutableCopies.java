package dev.fakegpu.dra;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Unmodifiable copies of maps that keep the order of the original. */
final class ImmutableCopies {
    private ImmutableCopies() {}

    static <K, V> Map<K, V> ofMap(Map<K, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
