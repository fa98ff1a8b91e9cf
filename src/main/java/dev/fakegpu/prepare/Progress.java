package dev.fakegpu.prepare;

import java.time.Duration;

/** How far the kubelet has come with preparing or unpreparing. */
sealed interface Progress {

    record Done() implements Progress {}

    record Waiting(Duration remaining) implements Progress {}

    /** @param problem in the kubelet's words */
    record Failed(String problem) implements Progress {}

    /** What the kubelet makes of the driver's answer ({@code pkg/kubelet/cm/dra/manager.go}). */
    static Progress of(String call, String claim, DriverAnswer answer) {
        if (answer instanceof DriverAnswer.Silence silence) {
            return new Waiting(silence.remaining());
        }
        if (answer instanceof DriverAnswer.Refused refused) {
            return new Failed("%s failed for ResourceClaim %s: %s".formatted(call, claim, refused.problem()));
        }
        if (answer instanceof DriverAnswer.TimedOut timedOut) {
            return new Failed(call + ": " + timedOut.problem());
        }
        return new Done();
    }
}
