package dev.fakegpu.operator.prepare.fault;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.When;
import dev.fakegpu.dra.ClaimRef;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * An entry of {@code spec.faults} that applies to calls. An edited entry is a different fault, whose calls are counted from 1.
 *
 * @param fakeGpuUid UID of the FakeGpu that contains it
 */
public record InjectedFault(String fakeGpuUid, FaultSpec spec) {

    /** How long the kubelet waits for a driver ({@code pkg/kubelet/cm/dra/plugin}, defaultClientCallTimeout). */
    private static final Duration KUBELET_TIMEOUT = Duration.ofSeconds(45);

    /**
     * Whether {@code when} selects this call among the matching ones. The answer is deterministic.
     *
     * @param ofClaim the number of the call among those for its claim, from 1
     * @param ofAll the number of the call among those for all claims, from 1
     */
    boolean appliesTo(ClaimRef claim, long ofClaim, long ofAll) {
        When when = spec.when();
        if (when == null) {
            return true;
        }
        if (when.first() != null) {
            return ofClaim <= when.first();
        }
        if (when.everyNth() != null) {
            return ofAll % when.everyNth() == 0;
        }
        if (when.nth() != null) {
            return ofAll == when.nth();
        }
        if (when.from() != null || when.to() != null) {
            return (when.from() == null || ofAll >= when.from()) && (when.to() == null || ofAll <= when.to());
        }
        return percentile(claim, ofClaim) < Objects.requireNonNullElse(when.probability(), 0);
    }

    /**
     * Returns a number from 0 to 99. It depends on the claim's name and not on its UID, so that the same manifests always trigger the same
     * faults.
     */
    private int percentile(ClaimRef claim, long ofClaim) {
        long seed =
                spec.when() == null ? 0 : Objects.requireNonNullElse(spec.when().seed(), 0L);
        long mixed = seed;
        for (long part : new long[] {spec.name().hashCode(), claim.toString().hashCode(), ofClaim}) {
            mixed = new SplittableRandom(mixed ^ part).nextLong();
        }
        return new SplittableRandom(mixed).nextInt(100);
    }

    /** The time from the call to the response; for a hang, the time until the kubelet gives up. */
    Duration delay() {
        if (spec.effect() == FaultSpec.Effect.Hang) {
            return KUBELET_TIMEOUT;
        }
        String delay = spec.delay();
        if (delay == null) {
            return Duration.ZERO;
        }
        return delay.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(delay, 0, delay.length() - 2, 10))
                : Duration.ofSeconds(Long.parseLong(delay, 0, delay.length() - 1, 10));
    }

    String description() {
        return "injected fault \"%s\"".formatted(spec.name());
    }

    /** The result of the call once {@link #delay()} has passed. */
    FaultOutcome outcome() {
        String injected = description();
        return switch (spec.effect()) {
            // Health and Taint change the published devices (FaultTimeline) and never occur here.
            case Delay, Health, Taint -> new FaultOutcome.NoFault();
            case WrongDevice -> new FaultOutcome.WrongDevices(injected);
            case Fail -> new FaultOutcome.Failed(spec.message() == null ? injected : injected + ": " + spec.message());
            case Hang ->
                new FaultOutcome.TimedOut(
                        "rpc error: code = DeadlineExceeded desc = context deadline exceeded (" + injected + ")");
        };
    }
}
