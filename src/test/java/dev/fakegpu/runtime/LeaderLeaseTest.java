package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with a leader whose clock differs: only the local clock decides whether its Lease has expired. */
class LeaderLeaseTest {

    private static final Duration DURATION = Leadership.LEASE_DURATION;

    private final MutableClock clock = new MutableClock("2026-01-01T12:00:00Z");
    private final LeaderLease ours = new LeaderLease("ours", DURATION, clock, clock);
    private final MutableClock otherClock = new MutableClock("2026-01-01T12:00:00Z");
    private final LeaderLease other = new LeaderLease("other", DURATION, otherClock, otherClock);

    @ParameterizedTest
    @ValueSource(longs = {-3600, -20, 0, 20, 3600})
    void aLeaderThatRenewsKeepsItsLease(long skewSeconds) {
        otherClock.jump(Duration.ofSeconds(skewSeconds));
        Lease lease = first(other);
        for (int renewal = 0; renewal < 30; renewal++) {
            lease = other.held(lease).orElseThrow();
            assertThat(ours.held(lease)).isEmpty();
            pass(Duration.ofSeconds(2));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-3600, -20, 0, 20, 3600})
    void aLeaderThatStopsLosesItAfterItsDuration(long skewSeconds) {
        // Given
        otherClock.jump(Duration.ofSeconds(skewSeconds));
        Lease last = first(other);
        assertThat(ours.held(last)).isEmpty();

        // When, then
        pass(DURATION.minusMillis(1));
        assertThat(ours.held(last)).isEmpty();
        pass(Duration.ofMillis(1));
        assertThat(ours.held(last)).isPresent();
    }

    /** NTP may set the clock like this. */
    @ParameterizedTest
    @ValueSource(longs = {-3600_000, -1000, -1, 3600_000})
    void aStepOfOurOwnClockChangesNothing(long millis) {
        Lease last = first(other);
        assertThat(ours.held(last)).isEmpty();

        clock.jump(Duration.ofMillis(millis));
        assertThat(ours.held(last)).isEmpty();

        pass(DURATION);
        assertThat(ours.held(last)).isPresent();
    }

    @Test
    void theReplicaThatTakesOverIsTheNextLeader() {
        Lease last = first(other);
        assertThat(ours.held(last)).isEmpty();
        pass(DURATION);

        Lease taken = ours.held(last).orElseThrow();

        assertThat(taken.getMetadata()).isEqualTo(last.getMetadata());
        assertThat(taken.getSpec())
                .isEqualTo(new LeaseSpecBuilder()
                        .withHolderIdentity("ours")
                        .withLeaseDurationSeconds(15)
                        .withAcquireTime(clock.instant().atZone(ZoneOffset.UTC))
                        .withRenewTime(clock.instant().atZone(ZoneOffset.UTC))
                        .withLeaseTransitions(1)
                        .build());
    }

    @Test
    void aRenewalChangesNothingButItsTime() {
        Lease first = first(ours);
        pass(Duration.ofSeconds(2));

        Lease renewed = ours.held(first).orElseThrow();

        assertThat(renewed.getSpec().getRenewTime()).isAfter(first.getSpec().getRenewTime());
        assertThat(with(renewed, spec -> spec.withRenewTime(first.getSpec().getRenewTime())))
                .isEqualTo(first);
    }

    /** A container that was restarted has the same identity. */
    @Test
    void aReplicaNeedNotWaitForItself() {
        Lease before = first(new LeaderLease("ours", DURATION, clock, clock));

        assertThat(ours.held(before)).isPresent();
    }

    @Test
    void aLeaseThatIsReleasedIsTakenAtOnce() {
        Lease released = other.released(first(other)).orElseThrow();

        assertThat(ours.held(released).orElseThrow().getSpec().getHolderIdentity())
                .isEqualTo("ours");
        assertThat(other.released(first(ours))).isEmpty();
    }

    /** A user may have created it by hand. */
    @Test
    void anEmptyLeaseIsTakenAtOnce() {
        Lease lease = first(other);
        lease.setSpec(null);

        assertThat(ours.held(lease)).isPresent();
        assertThat(ours.released(lease)).isEmpty();
    }

    private static Lease first(LeaderLease leader) {
        return leader.created("fakegpu-system", Leadership.LEASE);
    }

    private static Lease with(Lease lease, UnaryOperator<LeaseSpecBuilder> change) {
        return lease.edit()
                .withSpec(change.apply(new LeaseSpecBuilder(lease.getSpec())).build())
                .build();
    }

    private void pass(Duration duration) {
        clock.advance(duration);
        otherClock.advance(duration);
    }
}
