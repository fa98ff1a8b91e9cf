package dev.fakegpu.runtime;

import dev.fakegpu.prepare.NodeHeartbeat;
import dev.fakegpu.prepare.SimulatedKubelet;
import dev.fakegpu.schedule.Companion;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Starts and stops what runs beside the reconciler, which the operator framework starts. */
@Singleton
public final class Lifecycle {

    private final Companion companion;
    private final SimulatedKubelet kubelet;
    private final NodeHeartbeat heartbeat;

    Lifecycle(Companion companion, SimulatedKubelet kubelet, NodeHeartbeat heartbeat) {
        this.companion = companion;
        this.kubelet = kubelet;
        this.heartbeat = heartbeat;
    }

    void start(@Observes StartupEvent event) {
        heartbeat.start();
        companion.start();
        kubelet.start();
    }

    void stop(@Observes ShutdownEvent event) {
        companion.close();
        kubelet.close();
        heartbeat.close();
    }
}
