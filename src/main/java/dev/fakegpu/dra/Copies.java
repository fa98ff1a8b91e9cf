package dev.fakegpu.dra;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Unmodifiable copies that keep the order in which a person wrote things. */
final class Copies {
    private Copies() {}

    static <K, V> Map<K, V> ofMap(Map<K, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /** In contrast to {@link List#copyOf} the list may have null elements. */
    static <E> List<E> ofList(List<E> list) {
        return Collections.unmodifiableList(new ArrayList<>(list));
    }
}
