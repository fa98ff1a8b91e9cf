package dev.fakegpu.cel;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map that answers {@code get} with a default for keys that it does not contain. So it is in Kubernetes: an unknown domain is
 * an empty map for lookups, while {@code in} and iteration know only the domains that are there.
 */
final class MapWithDefault<K, V> extends AbstractMap<K, V> {
    private final Map<K, V> entries;
    private final V defaultValue;

    MapWithDefault(Map<K, V> entries, V defaultValue) {
        this.entries = entries;
        this.defaultValue = defaultValue;
    }

    @Override
    public V get(@Nullable Object key) {
        V value = entries.get(key);
        return value == null ? defaultValue : value;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return entries.containsKey(key);
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return entries.entrySet();
    }
}
