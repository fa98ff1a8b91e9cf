package dev.fakegpu.runtime;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;

/**
 * Tolerates short interruptions of watches without becoming unready. If the connection is lost while a watch is being opened, the client
 * opens it as a plain HTTP response, which counts as a watch only once it has received something; for a kind that does not change, that is
 * the API server's bookmark a minute later. Thread-safe.
 */
final class WatchGrace {

    /** Longer than the interval of bookmarks ({@code bookmarkFrequency} of kube-apiserver: one minute). */
    static final Duration GRACE = Duration.ofSeconds(90);

    private final Ticker ticker;
    private Moment lastWatched = Moment.NEVER;

    WatchGrace(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Must be called regularly, as by probes. */
    synchronized boolean isReady(boolean isWatching) {
        Moment now = ticker.now();
        if (isWatching) {
            lastWatched = now;
        }
        return now.minus(GRACE).isBefore(lastWatched);
    }
}
