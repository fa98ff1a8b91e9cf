package dev.fakegpu.runtime;

import dev.fakegpu.explainer.ExplainerController;
import dev.fakegpu.kubelet.NodeHeartbeat;
import dev.fakegpu.kubelet.SimulatedKubelet;
import dev.fakegpu.schedule.Companion;
import io.javaoperatorsdk.operator.Operator;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;

/** What only the leader runs. */
@Singleton
final class Controllers {

    private final Operator publisher;
    private final Companion companion;
    private final ExplainerController explainer;
    private final SimulatedKubelet kubelet;
    private final NodeHeartbeat heartbeat;

    Controllers(
            Operator publisher,
            Companion companion,
            ExplainerController explainer,
            SimulatedKubelet kubelet,
            NodeHeartbeat heartbeat) {
        this.publisher = publisher;
        this.companion = companion;
        this.explainer = explainer;
        this.kubelet = kubelet;
        this.heartbeat = heartbeat;
    }

    /** Starts all; to be called once, after the watch has started. */
    void start() {
        heartbeat.start();
        companion.start();
        explainer.start();
        kubelet.start();
        publisher.start();
    }

    /** Stops all, whether or not they have been started. Returns after the limit even if some have not stopped. */
    void stop(Duration limit) {
        ParallelShutdown.stop(
                Map.of(
                        "publisher", publisher::stop,
                        "companion", companion::close,
                        "explainer", explainer::close,
                        "simulated kubelet", kubelet::close,
                        "heartbeat", heartbeat::close),
                limit);
    }
}
