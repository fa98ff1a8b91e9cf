package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntBiFunction;

/**
 * Finds mixins for objects with named entries: entries that the same objects have with the same values form one mixin. Those that save most
 * come first, since an object can include at most {@value Limits#INCLUDES}.
 *
 * @param mixins the entries of each mixin, by the name of the mixin
 * @param includes the names of the mixins that each object includes
 * @param own the remaining entries of each object
 */
record CommonEntries<V>(Map<String, Map<String, V>> mixins, List<List<String>> includes, List<Map<String, V>> own) {

    /** The bytes of {@code ,"includes":[""]}, without the first name. */
    private static final int FIRST_INCLUDE = 16;

    /** The bytes of {@code ,""} for each further name. */
    private static final int NEXT_INCLUDE = 3;

    /** The bytes of {@code "deviceCounterConsumption":[]} and <code>{"name":"m1","attributes":{},"capacity":{}},</code>, rounded up. */
    private static final int MIXIN = 80;

    /** Entries that exactly the given objects have. */
    private record Shared<V>(BitSet objects, Map<String, V> entries, int bytes) {

        /** The number of bytes that a mixin would save if these objects included it. */
        int saved(String name, BitSet including, List<List<String>> includes) {
            int references = including.stream()
                    .map(object -> includes.get(object).isEmpty() ? FIRST_INCLUDE : NEXT_INCLUDE)
                    .map(bytesAround -> bytesAround + name.length())
                    .sum();
            return bytes * (including.cardinality() - 1) - references - MIXIN;
        }
    }

    /** One entry. */
    private record Entry<V>(String name, V value) {}

    /** @param bytes the size of an entry in JSON */
    static <V> CommonEntries<V> of(List<Map<String, V>> objects, ToIntBiFunction<String, V> bytes) {
        List<List<String>> includes = new ArrayList<>();
        List<Map<String, V>> own = new ArrayList<>();
        objects.forEach(entries -> {
            includes.add(new ArrayList<>());
            own.add(new LinkedHashMap<>(entries));
        });
        Map<String, Map<String, V>> mixins = new LinkedHashMap<>();
        for (Shared<V> shared : shared(objects, bytes)) {
            BitSet including = withRoom(shared.objects(), includes);
            String name = "m" + mixins.size();
            if (shared.saved(name, including, includes) > 0) {
                mixins.put(name, shared.entries());
                including.stream().forEach(object -> {
                    includes.get(object).add(name);
                    own.get(object).keySet().removeAll(shared.entries().keySet());
                });
            }
        }
        return new CommonEntries<>(mixins, includes, own);
    }

    /** The entries that several objects have in common, largest first. */
    private static <V> Collection<Shared<V>> shared(List<Map<String, V>> objects, ToIntBiFunction<String, V> bytes) {
        Map<Entry<V>, BitSet> having = new LinkedHashMap<>();
        for (int i = 0; i < objects.size(); i++) {
            for (var entry : objects.get(i).entrySet()) {
                having.computeIfAbsent(new Entry<>(entry.getKey(), entry.getValue()), each -> new BitSet())
                        .set(i);
            }
        }
        Map<BitSet, Map<String, V>> together = new LinkedHashMap<>();
        having.forEach((entry, those) -> {
            if (those.cardinality() > 1) {
                together.computeIfAbsent(those, each -> new LinkedHashMap<>()).put(entry.name(), entry.value());
            }
        });
        return together.entrySet().stream()
                .map(each -> new Shared<>(each.getKey(), each.getValue(), sum(each.getValue(), bytes)))
                .sorted(Comparator.comparingInt(
                        each -> -each.bytes() * (each.objects().cardinality() - 1)))
                .toList();
    }

    private static <V> int sum(Map<String, V> entries, ToIntBiFunction<String, V> bytes) {
        return entries.entrySet().stream()
                .mapToInt(entry -> bytes.applyAsInt(entry.getKey(), entry.getValue()))
                .sum();
    }

    private static BitSet withRoom(BitSet objects, List<List<String>> includes) {
        return objects.stream()
                .filter(object -> includes.get(object).size() < Limits.INCLUDES)
                .collect(BitSet::new, BitSet::set, BitSet::or);
    }
}
