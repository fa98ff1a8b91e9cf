package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.FaultSpec.Operation;
import java.time.Duration;
import java.util.Map;

/** Is notified of a driver's calls on the node. It is called by several threads and must be fast. */
interface CallListener {

    CallListener NONE = new CallListener() {};

    /** How a call for a claim ended. */
    enum Outcome {
        SUCCEEDED,
        /** The claim cannot be prepared or unprepared. */
        FAILED,
        /** The whole call failed, because of the node's lock or the driver's files. */
        BROKEN
    }

    /** The kubelet has called for a claim; {@link #ended} follows. */
    default void begun(Operation operation) {}

    /** @param taken the duration of the call, even if it is for several claims */
    default void ended(Operation operation, Outcome outcome, Duration taken) {}

    /** @param devicesByType the number of prepared devices by their attribute {@code type}, or "unknown" */
    default void prepared(Map<String, Long> devicesByType) {}
}
