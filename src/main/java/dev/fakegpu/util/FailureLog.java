package dev.fakegpu.util;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Reports repeated failures without flooding the log. The first one is logged at once; later ones are logged at most once per
 * {@link #INTERVAL}, with the number of failures that were skipped. Thread-safe.
 */
public final class FailureLog {

    static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Ticker ticker;
    private final Consumer<String> log;
    private Moment next = Moment.NEVER;
    private int leftOut;

    /** @param log receives the messages that are not skipped */
    public FailureLog(Ticker ticker, Consumer<String> log) {
        this.ticker = ticker;
        this.log = log;
    }

    /** @param cause the message of its root cause is added, since its own often only says that something failed */
    public void failed(String what, Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String rootMessage = Objects.requireNonNullElse(root.getMessage(), root.toString());
        String message = Objects.requireNonNullElse(cause.getMessage(), "");
        failed(what + ": " + (message.contains(rootMessage) ? message : message + " (" + rootMessage + ")"));
    }

    synchronized void failed(String message) {
        Moment now = ticker.now();
        if (now.isBefore(next)) {
            leftOut++;
            return;
        }
        log.accept(leftOut == 0 ? message : "%s (and %d more since the last message)".formatted(message, leftOut));
        leftOut = 0;
        next = now.plus(INTERVAL);
    }
}
