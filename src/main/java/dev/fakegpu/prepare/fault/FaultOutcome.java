package dev.fakegpu.prepare.fault;

import java.time.Duration;

/** How injected faults change a call of the kubelet to the driver. */
public sealed interface FaultOutcome {

    /** No fault applies, or none any more: the driver does its work. */
    record NoFault() implements FaultOutcome {}

    /**
     * The driver prepares other devices than those of the claim.
     *
     * @param fault description of the fault
     */
    record WrongDevices(String fault) implements FaultOutcome {}

    /**
     * The driver has not answered yet.
     *
     * @param remaining time until it answers, or until the kubelet gives up
     * @param fault description of the fault
     */
    record Pending(Duration remaining, String fault) implements FaultOutcome {}

    /** The driver answers with an error for the claim. */
    record Failed(String problem) implements FaultOutcome {}

    /** The kubelet's deadline passed; the driver never answered. */
    record TimedOut(String problem) implements FaultOutcome {}
}
