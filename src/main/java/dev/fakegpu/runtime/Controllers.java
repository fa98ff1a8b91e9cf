package dev.fakegpu.runtime;

import dev.fakegpu.operator.explainer.ExplainerController;
import dev.fakegpu.operator.kubelet.BindingSimulator;
import dev.fakegpu.operator.kubelet.NodeHeartbeat;
import dev.fakegpu.operator.kubelet.SimulatedKubelet;
import dev.fakegpu.operator.schedule.Companion;
import dev.fakegpu.runtime.OperatorConfig.Part;
import io.javaoperatorsdk.operator.Operator;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** The controllers that only the leader runs: those of its parts, so that the process needs no permissions for other parts. */
@Singleton
final class Controllers {

    private final Set<Part> parts;
    private final Operator publisher;
    private final Companion companion;
    private final ExplainerController explainer;
    private final SimulatedKubelet kubelet;
    private final BindingSimulator bindings;
    private final NodeHeartbeat heartbeat;

    Controllers(
            OperatorConfig config,
            Operator publisher,
            Companion companion,
            ExplainerController explainer,
            SimulatedKubelet kubelet,
            BindingSimulator bindings,
            NodeHeartbeat heartbeat) {
        this.parts = config.parts();
        this.publisher = publisher;
        this.companion = companion;
        this.explainer = explainer;
        this.kubelet = kubelet;
        this.bindings = bindings;
        this.heartbeat = heartbeat;
    }

    /** Whether the controllers of a part are included. */
    boolean include(Part part) {
        return parts.contains(part);
    }

    /** Must be called once, after the watch has started. */
    void start() {
        if (include(Part.SimulatedKubelet)) {
            heartbeat.start();
        }
        if (include(Part.Companion)) {
            companion.start();
        }
        if (include(Part.Explainer)) {
            explainer.start();
        }
        if (include(Part.SimulatedKubelet)) {
            kubelet.start();
            bindings.start();
        }
        if (include(Part.Publisher)) {
            publisher.start();
        }
    }

    /** Stops all controllers, whether or not they have been started. Returns after the limit even if some have not stopped. */
    void stop(Duration limit) {
        ParallelShutdown.stop(
                Map.of(
                        "publisher", publisher::stop,
                        "companion", companion::close,
                        "explainer", explainer::close,
                        "simulated kubelet", kubelet::close,
                        "binding simulator", bindings::close,
                        "heartbeat", heartbeat::close),
                limit);
    }
}
