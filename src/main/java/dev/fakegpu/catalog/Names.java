package dev.fakegpu.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Limits of names and texts that become attributes of devices. */
final class Names {

    private static final int MAX_NAME = 63;
    private static final int MAX_ATTRIBUTE_BYTES = 64;

    private Names() {}

    /** What {@code spec.model} can say. */
    static void check(String name) {
        Invalid.when(
                name.isBlank() || name.length() > MAX_NAME,
                "a model's name has 1 to %d characters, and \"%s\" has %d",
                MAX_NAME,
                name,
                name.length());
    }

    /** What the API server stores as a string attribute. */
    static void checkText(String field, String text) {
        int bytes = text.getBytes(UTF_8).length;
        Invalid.when(
                text.isBlank() || bytes > MAX_ATTRIBUTE_BYTES,
                "%s \"%s\" has %d bytes, 1 to %d are possible",
                field,
                text,
                bytes,
                MAX_ATTRIBUTE_BYTES);
    }
}
