package dev.fakegpu.runtime;

import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.runtime.OperatorConfig.Part;
import dev.fakegpu.util.FailureLog;
import dev.fakegpu.util.FatalErrors;
import dev.fakegpu.util.Ticker;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Waits for the API server, watches the cluster as a warm standby, starts the controllers when this replica becomes the leader, and stops
 * them. All of it happens in the background, so that health checks work from the start.
 */
@Singleton
public final class Lifecycle {

    private static final Logger LOG = Logger.getLogger(Lifecycle.class);

    /** Together with the time for releasing the Lease, this fits into the termination grace period of 30 s. */
    static final Duration CONTROLLERS_LIMIT = Duration.ofSeconds(12);

    private final ClusterWatch cluster;
    private final WatchMetrics watchMetrics;
    private final ServerFeatures features;
    private final Leadership leadership;
    private final Controllers controllers;
    private final ApiServerWait apiServer;
    private final AtomicBoolean stopping = new AtomicBoolean();

    Lifecycle(
            ClusterWatch cluster,
            WatchMetrics watchMetrics,
            ServerFeatures features,
            Leadership leadership,
            Controllers controllers,
            Ticker ticker) {
        this.cluster = cluster;
        this.watchMetrics = watchMetrics;
        this.features = features;
        this.leadership = leadership;
        this.controllers = controllers;
        this.apiServer = new ApiServerWait(new FailureLog(ticker, LOG::warn));
    }

    void start(@Observes StartupEvent event) {
        inBackground("start", this::begin);
    }

    private void begin() {
        apiServer.until("the watch of the cluster", cluster::start);
        watchMetrics.register();
        if (controllers.include(Part.Publisher)) {
            features.start(); // tries to write slices, for which the other parts have no permission
        }
        apiServer.until("the election of a leader", this::join);
    }

    private void join() {
        leadership.start(this::becameLeader, this::lostLeadership);
    }

    /** Uses another thread, because this one renews the Lease. */
    private void becameLeader() {
        LOG.info("this operator is the leader");
        inBackground("start-controllers", controllers::start);
    }

    /**
     * Requests in flight cannot be recalled, and the state of the controllers may be outdated when this replica leads again, so the process
     * exits. Kubernetes restarts it immediately, and it waits as a standby.
     */
    private void lostLeadership() {
        exit("this operator is no longer the leader and exits");
    }

    private void exit(String reason) {
        if (!stopping.get()) {
            LOG.error(reason);
            Quarkus.asyncExit(1);
        }
    }

    private void inBackground(String name, Runnable task) {
        var thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        if (!stopping.get()) { // the client that it used may already be closed
                            LOG.error(e);
                            exit("this operator cannot start and exits: " + e.getMessage());
                        }
                    } catch (Error e) {
                        FatalErrors.end(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    void stop(@Observes ShutdownEvent event) {
        stopping.set(true);
        controllers.stop(CONTROLLERS_LIMIT);
        leadership.close();
    }
}
