package dev.fakegpu.cel;

import org.jspecify.annotations.Nullable;

/** What users read about an expression that failed. */
final class ErrorText {

    private static final int SHOWN_LENGTH = 200;

    private ErrorText() {}

    static String of(String kind, String expression, @Nullable String reason) {
        String shown = expression.length() <= SHOWN_LENGTH ? expression : expression.substring(0, SHOWN_LENGTH) + "...";
        return kind + " \"" + shown + "\": " + reason;
    }
}
