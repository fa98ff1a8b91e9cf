package dev.fakegpu.runtime;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Judges the age of another replica's Lease by our own clock: by how long ago we saw it change, as client-go does ({@code observedTime} in
 * {@code tools/leaderelection/leaderelection.go}). The client's elector compares the time that the other replica wrote with ours, so with
 * clocks that differ by more than the Lease's slack two replicas would lead. Not thread-safe.
 */
final class LeaseObserver {

    private final Clock clock;
    private final LongSupplier nanoTime;
    private @Nullable LeaderElectionRecord last;
    private long changedAt;

    /**
     * @param clock with which the elector compares the time of renewal
     * @param nanoTime monotonic, in nanoseconds
     */
    LeaseObserver(Clock clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** The record with the time at which we first saw this version as its time of renewal. */
    LeaderElectionRecord observed(LeaderElectionRecord stored) {
        long now = nanoTime.getAsLong();
        if (!stored.equals(last)) {
            last = stored;
            changedAt = now;
        }
        var unchangedFor = Duration.ofNanos(now - changedAt);
        return new LeaderElectionRecord(
                stored.getHolderIdentity(),
                stored.getLeaseDuration(),
                stored.getAcquireTime(),
                clock.instant().minus(unchangedFor).atZone(ZoneOffset.UTC),
                stored.getLeaderTransitions());
    }
}
