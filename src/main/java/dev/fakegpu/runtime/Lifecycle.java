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

/** Starts everything that acts once this operator is the leader, and stops it. Until then it watches, so that it is ready. */
@Singleton
public final class Lifecycle {

    private static final Logger LOG = Logger.getLogger(Lifecycle.class);

    private final Leadership leadership;
    private final Operator publisher;
    private final Companion companion;
    private final ExplainerController advisor;
    private final SimulatedKubelet kubelet;
    private final NodeHeartbeat heartbeat;
    private final AtomicBoolean stopping = new AtomicBoolean();

    Lifecycle(
            Leadership leadership,
            Operator publisher,
            Companion companion,
            ExplainerController advisor,
            SimulatedKubelet kubelet,
            NodeHeartbeat heartbeat) {
        this.leadership = leadership;
        this.publisher = publisher;
        this.companion = companion;
        this.advisor = advisor;
        this.kubelet = kubelet;
        this.heartbeat = heartbeat;
    }

    void start(@Observes StartupEvent event) {
        leadership.start(this::lead, this::lost);
    }

    private void lead() {
        LOG.info("this operator is the leader");
        heartbeat.start();
        companion.start();
        advisor.start();
        kubelet.start();
        publisher.start();
    }

    /** What is under way cannot be called back, so the process ends; the next one begins as one that waits. */
    private void lost() {
        if (!stopping.get()) {
            LOG.error("this operator is not the leader any more, and ends");
            Quarkus.asyncExit(1);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        stopping.set(true);
        companion.close();
        advisor.close();
        kubelet.close();
        heartbeat.close();
        publisher.stop();
        leadership.close();
    }
}
