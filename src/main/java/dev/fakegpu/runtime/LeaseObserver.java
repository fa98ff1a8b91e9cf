package dev.fakegpu.runtime;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Clock;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Judges the age of another replica's Lease by our own clock: by how long ago we saw it change, as client-go does ({@code observedTime} in
 * {@code tools/leaderelection/leaderelection.go}). The client's elector compares the time that the other replica wrote with ours, so with
 * clocks that differ by more than the Lease's slack two replicas would lead. Not thread-safe.
 */
final class LeaseObserver {

    private final Clock clock;
    private final Ticker ticker;
    private @Nullable LeaderElectionRecord last;
    private Moment changedAt = Moment.NEVER;

    /** @param clock with which the elector compares the time of renewal */
    LeaseObserver(Clock clock, Ticker ticker) {
        this.clock = clock;
        this.ticker = ticker;
    }

    /** The record with the time at which we first saw this version as its time of renewal. */
    LeaderElectionRecord observed(LeaderElectionRecord stored) {
        Moment now = ticker.now();
        if (!stored.equals(last)) {
            last = stored;
            changedAt = now;
        }
        var unchangedFor = changedAt.until(now);
        return new LeaderElectionRecord(
                stored.getHolderIdentity(),
                stored.getLeaseDuration(),
                stored.getAcquireTime(),
                clock.instant().minus(unchangedFor).atZone(ZoneOffset.UTC),
                stored.getLeaderTransitions());
    }
}
