package dev.fakegpu.runtime;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Determines what a replica may write to the leader's Lease, like {@code tryAcquireOrRenew} of client-go ({@code
 * tools/leaderelection/leaderelection.go}). The Lease of another replica has expired if this one has seen it unchanged for its duration.
 * The times in it are only informative, because the clocks of replicas differ and may be set. Not thread-safe.
 */
final class LeaderLease {

    private final String identity;
    private final Duration duration;
    private final Clock clock;
    private final Ticker ticker;
    private @Nullable LeaseSpec seen;
    private Moment seenSince = Moment.NEVER;

    /**
     * @param identity the identity of this replica
     * @param duration the duration after which others may take over a Lease that this replica wrote
     */
    LeaderLease(String identity, Duration duration, Clock clock, Ticker ticker) {
        this.identity = identity;
        this.duration = duration;
        this.clock = clock;
        this.ticker = ticker;
    }

    /** The first Lease. */
    Lease created(String namespace, String name) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withSpec(heldSince(now(), 0))
                .build();
    }

    /** The Lease as held by this replica from now on; empty while another replica holds it. */
    Optional<Lease> held(Lease stored) {
        LeaseSpec spec = Objects.requireNonNullElseGet(stored.getSpec(), LeaseSpec::new);
        if (isMine(spec)) {
            ZonedDateTime since = Objects.requireNonNullElseGet(spec.getAcquireTime(), this::now);
            return Optional.of(with(stored, heldSince(since, transitions(spec))));
        }
        return isHeldByAnother(spec)
                ? Optional.empty()
                : Optional.of(with(stored, heldSince(now(), transitions(spec) + 1)));
    }

    /** The Lease without a holder, so that the others need not wait; empty if this replica does not hold it. */
    Optional<Lease> released(Lease stored) {
        LeaseSpec spec = stored.getSpec();
        return spec == null || !isMine(spec)
                ? Optional.empty()
                : Optional.of(with(stored, spec.edit().withHolderIdentity("").build()));
    }

    private boolean isMine(LeaseSpec spec) {
        return identity.equals(spec.getHolderIdentity());
    }

    private boolean isHeldByAnother(LeaseSpec spec) {
        Moment now = ticker.now();
        if (!spec.equals(seen)) {
            seen = spec;
            seenSince = now;
        }
        String holder = spec.getHolderIdentity();
        return holder != null && !holder.isEmpty() && seenSince.until(now).compareTo(durationOf(spec)) < 0;
    }

    private Duration durationOf(LeaseSpec spec) {
        Integer seconds = spec.getLeaseDurationSeconds();
        return seconds == null ? duration : Duration.ofSeconds(seconds);
    }

    private static int transitions(LeaseSpec spec) {
        return Objects.requireNonNullElse(spec.getLeaseTransitions(), 0);
    }

    private LeaseSpec heldSince(ZonedDateTime acquired, int transitions) {
        return new LeaseSpecBuilder()
                .withHolderIdentity(identity)
                .withLeaseDurationSeconds((int) duration.toSeconds())
                .withAcquireTime(acquired)
                .withRenewTime(now())
                .withLeaseTransitions(transitions)
                .build();
    }

    private ZonedDateTime now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
    }

    private static Lease with(Lease stored, LeaseSpec spec) {
        return stored.edit().withSpec(spec).build();
    }
}
