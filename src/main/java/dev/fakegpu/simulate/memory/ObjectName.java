package dev.fakegpu.simulate.memory;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The name of an object in a scenario: {@code pod/pod-a}, or with a namespace {@code pod/team-a/pod-a}.
 *
 * @param kind the kind as in a manifest, such as {@code Pod}
 */
public record ObjectName(String kind, String namespace, String name) {

    public static Optional<ObjectName> parse(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length < 2 || parts.length > 3) {
            return Optional.empty();
        }
        String lower = parts[0].toLowerCase(Locale.ROOT);
        String name = parts[parts.length - 1];
        return ApiObjects.kinds().stream()
                .filter(kind -> kind.toLowerCase(Locale.ROOT).equals(lower))
                .filter(kind -> !name.isEmpty())
                .findFirst()
                .map(kind -> new ObjectName(kind, parts.length == 3 ? parts[1] : "default", name));
    }

    /** The kinds as they are written in names. */
    public static List<String> kinds() {
        return ApiObjects.kinds().stream()
                .map(kind -> kind.toLowerCase(Locale.ROOT))
                .toList();
    }

    @Override
    public String toString() {
        return kind.toLowerCase(Locale.ROOT) + "/" + (namespace.equals("default") ? "" : namespace + "/") + name;
    }
}
