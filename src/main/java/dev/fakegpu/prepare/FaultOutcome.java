package dev.fakegpu.prepare;

import java.time.Duration;

/** What injected faults make of a call of the kubelet for a claim. */
sealed interface FaultOutcome {

    /** No fault strikes it, or not any more: the driver does its work. */
    record Unharmed() implements FaultOutcome {}

    /**
     * The driver does its work with other devices than those of the claim.
     *
     * @param fault what is to blame
     */
    record WrongDevices(String fault) implements FaultOutcome {}

    /**
     * There is no answer yet.
     *
     * @param fault what is to blame
     */
    record Silence(Duration remaining, String fault) implements FaultOutcome {}

    /** The driver answers with an error for the claim. */
    record Refused(String problem) implements FaultOutcome {}

    /** The kubelet gives up, and the driver does not know. */
    record TimedOut(String problem) implements FaultOutcome {}
}
