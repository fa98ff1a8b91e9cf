package dev.fakegpu.engine.allocate.refusal;

import dev.fakegpu.util.Suggestion;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the attribute or capacity of a device that was probably meant by a name that the device does not have. CEL treats a name with and
 * without the driver's domain as the same, but kube-scheduler compares the names of capacities literally.
 */
public final class SimilarName {

    private SimilarName() {}

    /** @return null if the device has no similar name */
    public static @Nullable String of(String written, Collection<String> known) {
        Map<String, String> byId = new TreeMap<>();
        known.stream().sorted().forEach(name -> byId.putIfAbsent(id(name), name));
        String sameId = byId.get(id(written));
        return sameId != null
                ? sameId
                : Suggestion.closest(id(written), byId.keySet()).map(byId::get).orElse(null);
    }

    private static String id(String name) {
        return name.substring(name.indexOf('/') + 1).toLowerCase(Locale.ROOT);
    }
}
