package dev.fakegpu.operator.prepare.fault;

import java.time.Duration;
import java.util.Optional;

/** How injected faults change a kubelet call to the driver. */
public sealed interface FaultOutcome {

    /** The error with which the call ends; empty if no fault makes it fail. */
    default Optional<String> error() {
        return Optional.empty();
    }

    /** The description of the fault that replaces the allocated devices with others. */
    default Optional<String> wrongDevices() {
        return Optional.empty();
    }

    /** No fault applies, or the fault is over: the driver proceeds normally. */
    record NoFault() implements FaultOutcome {}

    /**
     * The driver prepares devices other than the claim's.
     *
     * @param fault description of the fault
     */
    record WrongDevices(String fault) implements FaultOutcome {
        @Override
        public Optional<String> wrongDevices() {
            return Optional.of(fault);
        }
    }

    /**
     * The driver has not responded yet.
     *
     * @param remaining the time until it responds or the kubelet gives up
     * @param fault description of the fault
     */
    record Pending(Duration remaining, String fault) implements FaultOutcome {}

    /** The driver returns an error for the claim. */
    record Failed(String problem) implements FaultOutcome {
        @Override
        public Optional<String> error() {
            return Optional.of(problem);
        }
    }

    /** The kubelet's deadline passed; the driver never responded. */
    record TimedOut(String problem) implements FaultOutcome {
        @Override
        public Optional<String> error() {
            return Optional.of(problem);
        }
    }
}
