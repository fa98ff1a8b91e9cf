package dev.fakegpu.e2e.faults;

import java.time.Duration;

/** What goes wrong with one request, or with one watch. */
public sealed interface Fault {

    /** Forwarded only after a while. */
    record Late(Duration by) implements Fault {}

    /** The connection is closed after so many bytes of the response's body, or of a watch's events. */
    record Cut(int afterBytes) implements Fault {}

    /**
     * Not forwarded, but answered with a status.
     *
     * @param retryAfterSeconds the header {@code Retry-After}; 0 for none
     */
    record Refused(int code, int retryAfterSeconds) implements Fault {

        public Refused(int code) {
            this(code, 0);
        }
    }

    /** The connection is closed and nothing is forwarded. */
    record RequestLost() implements Fault {}

    /** The API server has done what was asked, and the connection is closed instead of saying so. */
    record AnswerLost() implements Fault {}

    /** The connection stays open, and nothing ever comes. */
    record Unanswered() implements Fault {}

    /** A watch is closed when it is so old. */
    record WatchClosed(Duration after) implements Fault {}

    /** A watch without its bookmarks. */
    record BookmarksLost() implements Fault {}

    /** Objects are changed on their way to the client, as if the API server had another version. */
    record Rewritten(ObjectRewrite rewrite) implements Fault {}

    /** For reports, such as {@code Refused 429}. */
    default String title() {
        return this instanceof Refused refused
                ? "Refused " + refused.code()
                : getClass().getSimpleName();
    }

    /** Whether it can happen to a watch and to nothing else. */
    default boolean isForWatches() {
        return this instanceof WatchClosed || this instanceof BookmarksLost;
    }
}
