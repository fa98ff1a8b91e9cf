package dev.fakegpu.hardware.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.dra.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks and normalizes names of models, and strings that become attributes of devices. */
final class Names {

    private static final String MAKER = "NVIDIA-";
    private static final int MAX_NAME = 63;
    private static final int MAX_ALIASES = 16;

    private Names() {}

    /** Rejects names that are invalid in {@code spec.model}. */
    static void check(String name, @Nullable List<String> aliases) {
        check(name);
        if (aliases != null) {
            Invalid.when(aliases.size() > MAX_ALIASES, "%d aliases, %d are possible", aliases.size(), MAX_ALIASES);
            aliases.forEach(Names::check);
        }
    }

    /** A key that is equal for names that differ only in spaces and dashes, as product names and node labels do. */
    static String key(String name) {
        return name.replace(' ', '-');
    }

    /** The same key with the prefix {@value #MAKER} added or removed. */
    static String otherKey(String key) {
        return key.startsWith(MAKER) ? key.substring(MAKER.length()) : MAKER + key;
    }

    private static void check(String name) {
        Invalid.when(name.isBlank(), "a model has no name");
        Invalid.when(
                name.length() > MAX_NAME,
                "a model's name has 1 to %d characters, and \"%s\" has %d",
                MAX_NAME,
                name,
                name.length());
    }

    /** Rejects a string that the API server does not accept as an attribute value. */
    static void checkText(String field, String text) {
        Invalid.when(text.isBlank(), "%s is empty", field);
        int bytes = text.getBytes(UTF_8).length;
        Invalid.when(
                bytes > Limits.ATTRIBUTE_VALUE_BYTES,
                "%s \"%s\" has %d bytes, 1 to %d are possible",
                field,
                text,
                bytes,
                Limits.ATTRIBUTE_VALUE_BYTES);
    }
}
