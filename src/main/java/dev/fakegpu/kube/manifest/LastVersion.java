package dev.fakegpu.kube.manifest;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The version of an API server, which is asked at most once a minute, since it blocks for seconds if it does not respond. Without an
 * answer, the version is the last one that was read, or the newest one if none was. Thread-safe.
 */
public final class LastVersion implements Supplier<KubernetesVersion> {

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Supplier<Optional<KubernetesVersion>> server;
    private final Ticker ticker;
    private Moment asked = Moment.NEVER;
    private KubernetesVersion last = KubernetesVersion.NEWEST;

    /** @param server asks the API server; empty if it cannot be read */
    public LastVersion(Supplier<Optional<KubernetesVersion>> server, Ticker ticker) {
        this.server = server;
        this.ticker = ticker;
    }

    @Override
    public synchronized KubernetesVersion get() {
        if (ticker.since(asked).compareTo(INTERVAL) >= 0) {
            last = server.get().orElse(last);
            asked = ticker.now();
        }
        return last;
    }
}
