package dev.fakegpu.engine.allocate.refusal;

import dev.fakegpu.util.Suggestion;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of the attributes or capacities of a device that lacks a name.
 *
 * @param similar the name that was probably meant; null if the device has no similar name
 * @param all all names of the device, sorted; empty if one was probably meant
 */
public record NamesThere(@Nullable String similar, List<String> all) {

    public NamesThere {
        all = List.copyOf(all);
    }

    /**
     * Finds what was probably meant. CEL treats a name with and without the driver's domain as the same, but kube-scheduler compares the names
     * of capacities literally.
     */
    public static NamesThere insteadOf(String written, Collection<String> known) {
        List<String> all = known.stream().sorted().toList();
        Map<String, String> byId = new TreeMap<>();
        all.forEach(name -> byId.putIfAbsent(id(name), name));
        String sameId = byId.get(id(written));
        String similar = sameId != null
                ? sameId
                : Suggestion.closest(id(written), byId.keySet()).map(byId::get).orElse(null);
        return new NamesThere(similar, similar == null ? all : List.of());
    }

    private static String id(String name) {
        return name.substring(name.indexOf('/') + 1).toLowerCase(Locale.ROOT);
    }
}
