package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Operation;
import java.time.Duration;

/** Is notified of the calls to the driver of simulated nodes, for metrics. */
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
        /** The modeled hardware cannot provide what was allocated. */
        REFUSED,
        /** An injected fault returned an error. */
        FAULT,
        /** An injected fault never answered. */
        TIMEOUT
    }

    /**
     * A call has ended. Calls are repeated until one succeeds, and each of them counts.
     *
     * @param taken the duration, without the delay that a fault added
     */
    void answered(Operation operation, Outcome outcome, Duration taken);

    /** A fault changed a call. */
    void injected(Operation operation, Effect effect);
}
