package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Operation;
import java.time.Duration;

/** Receives the calls to the driver of simulated nodes, for metrics. */
public interface DriverListener {

    DriverListener NONE = new DriverListener() {
        @Override
        public void answered(Operation operation, Outcome outcome, Duration taken) {}

        @Override
        public void injected(Operation operation, Effect effect) {}
    };

    /** How a call ended. */
    enum Outcome {
        SUCCEEDED,
        /** The modeled hardware cannot do what was allocated. */
        REFUSED,
        /** An injected fault returned an error. */
        FAULT,
        /** An injected fault never answered. */
        TIMEOUT
    }

    /**
     * A call was answered. Calls are repeated until one succeeds, and each counts.
     *
     * @param taken without the time for which a fault held up the answer
     */
    void answered(Operation operation, Outcome outcome, Duration taken);

    /** A fault changes a call. */
    void injected(Operation operation, Effect effect);
}
