package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the leader differs from ours: whether its Lease has ended is decided by ours alone. */
class LeaseObserverTest {

    private static final Duration LEASE = Leadership.LEASE_DURATION;

    private final MutableClock clock = new MutableClock("2026-01-01T12:00:00Z");
    private final LeaseObserver observer = new LeaseObserver(clock, clock);

    @ParameterizedTest
    @ValueSource(longs = {-3600, -20, 0, 20, 3600})
    void aLeaderThatRenewsKeepsItsLease(long skewSeconds) {
        for (int renewal = 0; renewal < 30; renewal++) {
            assertThat(hasEnded(renewed(skewSeconds))).isFalse();
            clock.advance(Duration.ofSeconds(2));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-3600, -20, 0, 20, 3600})
    void aLeaderThatStopsLosesItAfterItsDuration(long skewSeconds) {
        // Given
        var last = renewed(skewSeconds);
        assertThat(hasEnded(last)).isFalse();

        // When, then
        clock.advance(LEASE.minusMillis(1));
        assertThat(hasEnded(last)).isFalse();
        clock.advance(Duration.ofMillis(2));
        assertThat(hasEnded(last)).isTrue();
    }

    /** As NTP does. */
    @Test
    void aStepOfOurOwnClockChangesNothing() {
        var last = renewed(0);
        assertThat(hasEnded(last)).isFalse();

        clock.jump(Duration.ofHours(1));
        assertThat(hasEnded(last)).isFalse();

        clock.jump(Duration.ofHours(-2));
        clock.advance(LEASE.plusMillis(1));
        assertThat(hasEnded(last)).isTrue();
    }

    @Test
    void theRestOfTheRecordStays() {
        var stored = renewed(7);

        assertThat(observer.observed(stored).toBuilder()
                        .renewTime(stored.getRenewTime())
                        .build())
                .isEqualTo(stored);
    }

    /** As the client's elector compares. */
    private boolean hasEnded(LeaderElectionRecord stored) {
        var observed = observer.observed(stored);
        return clock.instant()
                .atZone(ZoneOffset.UTC)
                .isAfter(observed.getRenewTime().plus(observed.getLeaseDuration()));
    }

    /** As the leader writes it, whose clock differs. */
    private LeaderElectionRecord renewed(long skewSeconds) {
        ZonedDateTime now = clock.instant().plusSeconds(skewSeconds).atZone(ZoneOffset.UTC);
        return new LeaderElectionRecord("other", LEASE, now.minusHours(1), now, 3);
    }
}
