package dev.fakegpu.dra;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An unmodifiable map that keeps the order of the original. It is for the few entries that the API allows: a lookup compares one key after
 * the other. It takes a fraction of the memory of a hash table, and maps with the same keys can share them.
 */
public final class ArrayMap<K, V> extends AbstractMap<K, V> {

    /** In larger maps, a lookup takes noticeably longer than in a hash table. */
    private static final int LARGEST = Limits.ATTRIBUTES_AND_CAPACITIES;

    private final List<K> keys;
    private final List<V> values;

    /**
     * Creates a map from keys and values.
     *
     * @param keys the keys, all different
     * @param values as many values as keys, in the same order
     */
    public ArrayMap(List<K> keys, List<V> values) {
        this.keys = List.copyOf(keys);
        this.values = List.copyOf(values);
    }

    /** An unmodifiable copy with the order of the original; a larger one is a hash table. */
    static <K, V> Map<K, V> copyOf(Map<K, V> map) {
        if (map.isEmpty()) {
            return Map.of();
        }
        if (map instanceof ArrayMap) {
            return map;
        }
        return map.size() > LARGEST
                ? Collections.unmodifiableMap(new LinkedHashMap<>(map))
                : new ArrayMap<>(List.copyOf(map.keySet()), List.copyOf(map.values()));
    }

    public List<K> keyList() {
        return keys;
    }

    public List<V> valueList() {
        return values;
    }

    /** A map with the same keys and other values. */
    ArrayMap<K, V> mapValues(UnaryOperator<V> change) {
        var changed = new ArrayList<V>(values.size());
        values.forEach(value -> changed.add(change.apply(value)));
        return new ArrayMap<>(keys, changed);
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return indexOf(key) >= 0;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int index = indexOf(key);
        return index < 0 ? null : values.get(index);
    }

    private int indexOf(@Nullable Object key) {
        for (int i = 0; i < keys.size(); i++) {
            if (keys.get(i).equals(key)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (int i = 0; i < keys.size(); i++) {
            action.accept(keys.get(i), values.get(i));
        }
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<K, V>> iterator() {
                return IntStream.range(0, keys.size())
                        .mapToObj(i -> Map.entry(keys.get(i), values.get(i)))
                        .iterator();
            }

            @Override
            public int size() {
                return keys.size();
            }
        };
    }

    @Override
    public Collection<V> values() {
        return values;
    }

    /** Computes the hash as {@link Map#hashCode} specifies it, without an object for each entry. */
    @Override
    public int hashCode() {
        int sum = 0;
        for (int i = 0; i < keys.size(); i++) {
            sum += Objects.hashCode(keys.get(i)) ^ Objects.hashCode(values.get(i));
        }
        return sum;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof ArrayMap<?, ?> same && keys.equals(same.keys)
                        ? values.equals(same.values)
                        : super.equals(other));
    }
}
