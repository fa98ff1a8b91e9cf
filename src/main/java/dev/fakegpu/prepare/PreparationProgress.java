package dev.fakegpu.prepare;

import java.time.Duration;

/** How far the kubelet has come with preparing or unpreparing. */
sealed interface PreparationProgress {

    record Done() implements PreparationProgress {}

    record Waiting(Duration remaining) implements PreparationProgress {}

    /** @param problem in the kubelet's words */
    record Failed(String problem) implements PreparationProgress {}

    /** What the kubelet makes of the driver's answer ({@code pkg/kubelet/cm/dra/manager.go}). */
    static PreparationProgress of(String call, String claim, FaultOutcome answer) {
        if (answer instanceof FaultOutcome.Silence silence) {
            return new Waiting(silence.remaining());
        }
        if (answer instanceof FaultOutcome.Refused refused) {
            return new Failed("%s failed for ResourceClaim %s: %s".formatted(call, claim, refused.problem()));
        }
        if (answer instanceof FaultOutcome.TimedOut timedOut) {
            return new Failed(call + ": " + timedOut.problem());
        }
        return new Done();
    }
}
