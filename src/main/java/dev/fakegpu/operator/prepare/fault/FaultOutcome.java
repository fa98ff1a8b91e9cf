package dev.fakegpu.operator.prepare.fault;

import java.time.Duration;

/** How injected faults change a kubelet call to the driver. */
public sealed interface FaultOutcome {

    /** No fault applies, or it has ended: the driver proceeds normally. */
    record NoFault() implements FaultOutcome {}

    /**
     * The driver prepares devices other than the claim's.
     *
     * @param fault description of the fault
     */
    record WrongDevices(String fault) implements FaultOutcome {}

    /**
     * The driver has not responded yet.
     *
     * @param remaining time until it responds, or until the kubelet gives up
     * @param fault description of the fault
     */
    record Pending(Duration remaining, String fault) implements FaultOutcome {}

    /** The driver returns an error for the claim. */
    record Failed(String problem) implements FaultOutcome {}

    /** The kubelet's deadline passed; the driver never responded. */
    record TimedOut(String problem) implements FaultOutcome {}
}
