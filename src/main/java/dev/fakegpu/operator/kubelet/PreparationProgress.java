package dev.fakegpu.operator.kubelet;

import dev.fakegpu.operator.prepare.fault.FaultOutcome;
import java.time.Duration;

/** The progress of preparing or unpreparing claims. */
sealed interface PreparationProgress {

    record Done() implements PreparationProgress {}

    /** @param remaining the time until the driver is called again */
    record Waiting(Duration remaining) implements PreparationProgress {}

    /** @param problem in the words of the kubelet */
    record Failed(String problem) implements PreparationProgress {}

    /**
     * How the kubelet handles the driver's response ({@code pkg/kubelet/cm/dra/manager.go}).
     *
     * @param call name of the gRPC method
     * @param claim name of the ResourceClaim
     */
    static PreparationProgress of(String call, String claim, FaultOutcome answer) {
        if (answer instanceof FaultOutcome.Pending pending) {
            return new Waiting(pending.remaining());
        }
        if (answer instanceof FaultOutcome.Failed failed) {
            return new Failed("%s failed for ResourceClaim %s: %s".formatted(call, claim, failed.problem()));
        }
        if (answer instanceof FaultOutcome.TimedOut timedOut) {
            return new Failed(call + ": " + timedOut.problem());
        }
        return new Done();
    }
}
