package dev.fakegpu.prepare;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.FaultSpec.When;
import dev.fakegpu.dra.ClaimRef;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * An injected fault. One that is edited is another one, which begins to count anew.
 *
 * @param fakeGpu UID of the FakeGpu that it is in
 */
record InjectedFault(String fakeGpu, FaultSpec spec) {

    /** How long the kubelet waits for a driver ({@code pkg/kubelet/cm/dra/plugin}, defaultClientCallTimeout). */
    private static final Duration KUBELETS_PATIENCE = Duration.ofSeconds(45);

    /**
     * Whether the fault strikes a call that it can strike. The same calls always give the same answers.
     *
     * @param ofClaim the number of the call among those for its claim, from 1
     * @param ofAll the number of the call among those for all claims, from 1
     */
    boolean strikes(ClaimRef claim, long ofClaim, long ofAll) {
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
        return percentile(claim, ofClaim) < Objects.requireNonNullElse(when.probability(), 0);
    }

    /** From 0 to 99. By the claim's name and not its UID, so that the same manifests meet the same faults. */
    private int percentile(ClaimRef claim, long ofClaim) {
        long seed =
                spec.when() == null ? 0 : Objects.requireNonNullElse(spec.when().seed(), 0L);
        long mixed = seed;
        for (long part : new long[] {spec.name().hashCode(), claim.toString().hashCode(), ofClaim}) {
            mixed = new SplittableRandom(mixed ^ part).nextLong();
        }
        return new SplittableRandom(mixed).nextInt(100);
    }

    /** How long the call is not answered. */
    Duration silence() {
        if (spec.effect() == FaultSpec.Effect.Hang) {
            return KUBELETS_PATIENCE;
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

    /** What becomes of the call after the silence. */
    FaultOutcome answer() {
        String injected = description();
        return switch (spec.effect()) {
            // Timed faults are never asked: they are no faults of calls.
            case Delay, Health, Taint -> new FaultOutcome.Unharmed();
            case WrongDevice -> new FaultOutcome.WrongDevices(injected);
            case Fail -> new FaultOutcome.Refused(spec.message() == null ? injected : injected + ": " + spec.message());
            case Hang ->
                new FaultOutcome.TimedOut(
                        "rpc error: code = DeadlineExceeded desc = context deadline exceeded (" + injected + ")");
        };
    }
}
