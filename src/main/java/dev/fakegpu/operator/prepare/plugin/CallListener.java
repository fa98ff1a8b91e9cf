package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.FaultSpec.Operation;
import java.time.Duration;
import java.util.Map;

/** Learns what a driver does on the node. Called by several threads, and must be fast. */
interface CallListener {

    CallListener NONE = new CallListener() {};

    /** How a call ended for a claim. */
    enum Outcome {
        SUCCEEDED,
        /** The claim cannot be prepared or unprepared. */
        FAILED,
        /** The whole call failed: the node's lock or the driver's files. */
        BROKEN
    }

    /** The kubelet calls for a claim; {@link #ended} follows. */
    default void begun(Operation operation) {}

    /** @param taken by the call, also if it is for several claims */
    default void ended(Operation operation, Outcome outcome, Duration taken) {}

    /** @param devicesByType how many devices are prepared, by the attribute {@code type}, or "unknown" */
    default void prepared(Map<String, Long> devicesByType) {}
}
