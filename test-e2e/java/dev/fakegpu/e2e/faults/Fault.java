package dev.fakegpu.e2e.faults;

import java.time.Duration;

/** A fault of one request, or of one watch. */
public sealed interface Fault {

    /** The request is forwarded after a delay. */
    record Late(Duration by) implements Fault {}

    /** The connection is closed after this number of bytes of the response's body, or of a watch's events. */
    record Cut(int afterBytes) implements Fault {}

    /**
     * The request is not forwarded, but answered with a status.
     *
     * @param retryAfterSeconds the header {@code Retry-After}; 0 for none
     */
    record Refused(int code, int retryAfterSeconds) implements Fault {

        public Refused(int code) {
            this(code, 0);
        }
    }

    /** The connection is closed, and the request is not forwarded. */
    record RequestLost() implements Fault {}

    /** The API server has processed the request, but the connection is closed before the response. */
    record AnswerLost() implements Fault {}

    /** The connection stays open without a response. */
    record Unanswered() implements Fault {}

    /** A watch is closed at this age. */
    record WatchClosed(Duration after) implements Fault {}

    /** The bookmarks of a watch are dropped. */
    record BookmarksLost() implements Fault {}

    /** Objects are changed on their way to the client, as if the API server had another version. */
    record Rewritten(ObjectRewrite rewrite) implements Fault {}

    /** A title for reports, such as {@code Refused 429}. */
    default String title() {
        return this instanceof Refused refused
                ? "Refused " + refused.code()
                : getClass().getSimpleName();
    }

    /** Whether the fault is only for watches. */
    default boolean isForWatches() {
        return this instanceof WatchClosed || this instanceof BookmarksLost;
    }
}
