package dev.fakegpu.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The limits of names and strings that become attributes of devices. */
final class Names {

    private static final int MAX_NAME = 63;
    private static final int MAX_ATTRIBUTE_BYTES = 64;

    private Names() {}

    /** Refuses a name that {@code spec.model} cannot have. */
    static void check(String name) {
        Invalid.when(
                name.isBlank() || name.length() > MAX_NAME,
                "a model's name has 1 to %d characters, and \"%s\" has %d",
                MAX_NAME,
                name,
                name.length());
    }

    /** Refuses a text that the API server does not accept as a string attribute. */
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
