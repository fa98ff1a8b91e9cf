package dev.fakegpu.runtime;

import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.operator.kubelet.DriverListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The metrics of the driver of simulated nodes; {@code docs/metrics.md} describes the metrics. */
final class KubeletMetrics implements DriverListener {

    private final MeterRegistry registry;

    KubeletMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (Operation operation : Operation.values()) {
            for (Outcome outcome : Outcome.values()) {
                calls(operation, outcome);
            }
            for (Effect effect : Effect.values()) {
                if (effect != Effect.Health && effect != Effect.Taint) { // those of devices, not of calls
                    faults(operation, effect);
                }
            }
            duration(operation);
        }
    }

    @Override
    public void answered(Operation operation, Outcome outcome, Duration taken) {
        calls(operation, outcome).increment();
        duration(operation).record(taken);
    }

    @Override
    public void injected(Operation operation, Effect effect) {
        faults(operation, effect).increment();
    }

    private Counter calls(Operation operation, Outcome outcome) {
        return Counter.builder("fakegpu.driver.calls")
                .description("Calls of simulated kubelets to the driver, with retries, by how they ended")
                .tags("operation", Meters.lower(operation), "outcome", Meters.lower(outcome))
                .register(registry);
    }

    private Counter faults(Operation operation, Effect effect) {
        return Counter.builder("fakegpu.driver.injected.faults")
                .description("Calls of simulated kubelets that an injected fault changed, by its effect")
                .tags("operation", Meters.lower(operation), "effect", Meters.lower(effect))
                .register(registry);
    }

    private Timer duration(Operation operation) {
        return Meters.latency("fakegpu.driver.call.duration")
                .description(
                        "Time that the driver of simulated nodes took to answer, without the delays that faults inject")
                .tag("operation", Meters.lower(operation))
                .register(registry);
    }
}
