package dev.fakegpu.hardware.catalog;

import com.google.errorprone.annotations.FormatMethod;

/** Rejects inconsistent catalog data. */
final class Invalid {
    private Invalid() {}

    @FormatMethod
    static void when(boolean wrong, String message, Object... arguments) {
        if (wrong) {
            throw new IllegalArgumentException(String.format(message, arguments));
        }
    }
}
