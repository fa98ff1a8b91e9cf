package dev.fakegpu.runtime;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;

/**
 * Short interruptions of watches are no reason to be unready. When the connection is lost while a watch is being opened, the client opens
 * it as a plain HTTP response, which counts as a watch only when something has come in it: for a kind that does not change, that is the
 * API server's bookmark a minute later. Thread-safe.
 */
final class WatchGrace {

    /** Longer than bookmarks take ({@code bookmarkFrequency} of kube-apiserver: a minute). */
    static final Duration GRACE = Duration.ofSeconds(90);

    private final Ticker ticker;
    private Moment lastWatched = Moment.NEVER;

    WatchGrace(Ticker ticker) {
        this.ticker = ticker;
    }

    /** To be asked regularly, as probes do. */
    synchronized boolean isReady(boolean isWatching) {
        Moment now = ticker.now();
        if (isWatching) {
            lastWatched = now;
        }
        return now.minus(GRACE).isBefore(lastWatched);
    }
}
