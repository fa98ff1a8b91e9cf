package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.MissingName;
import dev.fakegpu.util.Suggestion;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Describes an attribute or capacity that an expression reads but the device lacks. The text says what the device has and which name was
 * probably meant.
 */
final class MissingNameText {
    private MissingNameText() {}

    private static final int MAX_LISTED = 8;
    private static final int MAX_LENGTH = 200;

    /** The same failure with the names that the device has, if it lacks one. */
    static Failure withNamesOf(String driver, Device device, Failure failure) {
        MissingName missing = failure.missing();
        return missing == null ? failure : new Failure(text(missing, driver, device));
    }

    private static String text(MissingName missing, String driver, Device device) {
        boolean isCapacity = missing.field().equals(DeviceVariable.CAPACITY);
        Set<String> names =
                isCapacity ? device.capacity().keySet() : device.attributes().keySet();
        Map<String, SortedSet<String>> byDomain = byDomain(driver, names);
        String kind = isCapacity ? "capacity" : "attribute";
        if (byDomain.isEmpty()) {
            return "the device has no " + kind + " \"" + shorten(missing.name()) + "\" of domain \""
                    + shorten(missing.domain()) + "\", and no other" + optional(missing);
        }
        SortedSet<String> ofDomain = byDomain.get(missing.domain());
        return ofDomain == null ? noDomain(missing, kind, byDomain) : noName(missing, kind, ofDomain);
    }

    private static String noDomain(MissingName missing, String kind, Map<String, SortedSet<String>> byDomain) {
        return "the device has no " + kind + " of domain \"" + shorten(missing.domain()) + "\""
                + Suggestion.hint(missing.domain(), byDomain.keySet()) + "; it has those of "
                + list(byDomain.keySet()) + leftOut(missing, byDomain);
    }

    /** A hint for the usual mistake: the expression omits the domain, as KEP-5963's examples do. */
    private static String leftOut(MissingName missing, Map<String, SortedSet<String>> byDomain) {
        return byDomain.entrySet().stream()
                .filter(entry -> entry.getValue().contains(missing.domain()))
                .findFirst()
                .map(entry -> ", and names are looked up by domain: device." + missing.field() + "[\"" + entry.getKey()
                        + "\"]." + missing.domain())
                .orElse("");
    }

    private static String noName(MissingName missing, String kind, SortedSet<String> ofDomain) {
        String hint = Suggestion.hint(missing.name(), ofDomain);
        return "the device has no " + kind + " \"" + shorten(missing.name()) + "\" of domain \""
                + shorten(missing.domain()) + "\"" + hint + "; it has " + list(ofDomain)
                + (hint.isEmpty() ? optional(missing) : "");
    }

    private static String optional(MissingName missing) {
        return "; if some devices lack it, write device." + missing.field() + "[\"" + shorten(missing.domain())
                + "\"].?" + shorten(missing.name()) + ".orValue(...) or test with has()";
    }

    /** The names by domain. A name without a domain belongs to the driver's. */
    private static Map<String, SortedSet<String>> byDomain(String driver, Set<String> names) {
        var byDomain = new TreeMap<String, SortedSet<String>>();
        for (String name : names) {
            int slash = name.indexOf('/');
            byDomain.computeIfAbsent(slash < 0 ? driver : name.substring(0, slash), ignored -> new TreeSet<>())
                    .add(name.substring(slash + 1));
        }
        return byDomain;
    }

    private static String list(Collection<String> names) {
        String listed = names.stream().limit(MAX_LISTED).collect(Collectors.joining(", "));
        return names.size() > MAX_LISTED ? listed + " and " + (names.size() - MAX_LISTED) + " more" : listed;
    }

    private static String shorten(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
    }
}
