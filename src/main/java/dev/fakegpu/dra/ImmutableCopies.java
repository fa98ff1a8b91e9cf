package dev.fakegpu.dra;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Unmodifiable copies of maps that keep the order of the original. */
final class ImmutableCopies {

    /** In larger maps, a lookup takes noticeably longer than in a hash table. */
    private static final int LARGEST_ARRAY_MAP = Limits.ATTRIBUTES_AND_CAPACITIES;

    private ImmutableCopies() {}

    static <K, V> Map<K, V> ofMap(Map<K, V> map) {
        if (map.isEmpty()) {
            return Map.of();
        }
        if (map instanceof ArrayMap) {
            return map;
        }
        return map.size() > LARGEST_ARRAY_MAP
                ? Collections.unmodifiableMap(new LinkedHashMap<>(map))
                : new ArrayMap<>(List.copyOf(map.keySet()), List.copyOf(new ArrayList<>(map.values())));
    }
}
