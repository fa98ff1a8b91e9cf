package dev.fakegpu.runtime;

import dev.fakegpu.explainer.ExplainerController;
import dev.fakegpu.kubelet.NodeHeartbeat;
import dev.fakegpu.kubelet.SimulatedKubelet;
import dev.fakegpu.schedule.Companion;
import io.javaoperatorsdk.operator.Operator;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/** Starts all controllers once this replica is the leader, and stops them. Until then the replica only watches, as a warm standby. */
@Singleton
public final class Lifecycle {

    private static final Logger LOG = Logger.getLogger(Lifecycle.class);

    private final Leadership leadership;
    private final Operator publisher;
    private final Companion companion;
    private final ExplainerController explainer;
    private final SimulatedKubelet kubelet;
    private final NodeHeartbeat heartbeat;
    private final AtomicBoolean stopping = new AtomicBoolean();

    Lifecycle(
            Leadership leadership,
            Operator publisher,
            Companion companion,
            ExplainerController explainer,
            SimulatedKubelet kubelet,
            NodeHeartbeat heartbeat) {
        this.leadership = leadership;
        this.publisher = publisher;
        this.companion = companion;
        this.explainer = explainer;
        this.kubelet = kubelet;
        this.heartbeat = heartbeat;
    }

    void start(@Observes StartupEvent event) {
        leadership.start(this::becameLeader, this::lostLeadership);
    }

    private void becameLeader() {
        LOG.info("this operator is the leader");
        heartbeat.start();
        companion.start();
        explainer.start();
        kubelet.start();
        publisher.start();
    }

    /** Writes in flight cannot be recalled, so the process exits; Kubernetes restarts it as a standby. */
    private void lostLeadership() {
        if (!stopping.get()) {
            LOG.error("this operator is no longer the leader and exits");
            Quarkus.asyncExit(1);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        stopping.set(true);
        companion.close();
        explainer.close();
        kubelet.close();
        heartbeat.close();
        publisher.stop();
        leadership.close();
    }
}
