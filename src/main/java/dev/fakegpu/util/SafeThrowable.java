package dev.fakegpu.util;

import org.jspecify.annotations.Nullable;

/** Replaces another exception in the log: it has the same stack traces and causes, and messages that are safe to show. */
final class SafeThrowable extends Throwable {

    /** How many levels of causes are shown, since exceptions can refer to each other in circles. */
    private static final int MAX_DEPTH = 10;

    private static final long serialVersionUID = 1;

    private final String text;

    private SafeThrowable(Throwable original, @Nullable Throwable cause) {
        super(null, cause);
        text = SafeText.of(original.toString(), SafeText.LOG_MESSAGE);
        setStackTrace(original.getStackTrace());
    }

    static SafeThrowable of(Throwable original) {
        return of(original, 0);
    }

    private static SafeThrowable of(Throwable original, int depth) {
        boolean isDeepest = depth == MAX_DEPTH;
        Throwable cause = original.getCause();
        var safe = new SafeThrowable(original, cause == null || isDeepest ? null : of(cause, depth + 1));
        if (!isDeepest) {
            for (Throwable suppressed : original.getSuppressed()) {
                safe.addSuppressed(of(suppressed, depth + 1));
            }
        }
        return safe;
    }

    /** The class and message of the original. */
    @Override
    public String toString() {
        return text;
    }
}
