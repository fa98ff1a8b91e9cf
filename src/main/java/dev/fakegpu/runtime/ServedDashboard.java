package dev.fakegpu.runtime;

import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.OperatorSettings;
import dev.fakegpu.dashboard.server.Admission;
import dev.fakegpu.dashboard.server.AsUser;
import dev.fakegpu.dashboard.server.DashboardReader;
import dev.fakegpu.dashboard.server.DashboardServer;
import dev.fakegpu.dashboard.server.FeedPool;
import dev.fakegpu.dashboard.server.OneForAll;
import dev.fakegpu.dashboard.server.StoredCluster;
import dev.fakegpu.dashboard.server.Visibility;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.kube.manifest.LastVersion;
import dev.fakegpu.kube.manifest.ServerVersion;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.publish.DeferredChanges;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.runtime.OperatorConfig.Dashboard;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Serves the dashboard on its own port if it is enabled: on every replica, from the objects that the replica watches anyway. */
@Singleton
public final class ServedDashboard {

    private static final Logger LOG = Logger.getLogger(ServedDashboard.class);

    private final OperatorConfig config;
    private final ClusterWatch watch;
    private final KubernetesClient client;
    private final DeferredChanges changes;
    private final ServerFeatures features;
    private final Vertx vertx;
    private final Clock clock;
    private final Ticker ticker;
    private @Nullable Admission admission;
    private @Nullable DashboardServer server;

    ServedDashboard(
            OperatorConfig config,
            ClusterWatch watch,
            KubernetesClient client,
            DeferredChanges changes,
            ServerFeatures features,
            Vertx vertx,
            Clock clock,
            Ticker ticker) {
        this.config = config;
        this.watch = watch;
        this.client = client;
        this.changes = changes;
        this.features = features;
        this.vertx = vertx;
        this.clock = clock;
        this.ticker = ticker;
    }

    void start(@Observes StartupEvent event) {
        if (config.dashboard().enabled()) {
            serve(config.dashboard());
        }
    }

    /** A failure is only logged, since the operator's work does not depend on the page. */
    private void serve(Dashboard dashboard) {
        var cluster = new StoredCluster(watch, () -> List.of(ownSettings()), watch::isWatching);
        var reader = new DashboardReader(
                client.getMasterUrl().toString(),
                changes,
                GateSources.OF_OPERATOR,
                new LastVersion(() -> ServerVersion.of(client), ticker));
        var feeds = new FeedPool(cluster, reader, clock, ticker);
        Admission callers = dashboard.asUser()
                ? new AsUser(feeds, cluster, vertx, client.getConfiguration(), ticker)
                : new OneForAll(
                        feeds,
                        config.explanations().names() == ClaimNaming.Full
                                ? Visibility.EVERYTHING
                                : Visibility.NO_NAMES);
        admission = callers;
        try {
            var address = new InetSocketAddress(dashboard.address(), dashboard.port());
            var listening = new DashboardServer(vertx, address, callers);
            server = listening;
            LOG.infof("the dashboard is served on %s port %d", dashboard.address(), listening.port());
        } catch (IllegalStateException | IllegalArgumentException e) { // the latter for a port above 65535
            LOG.errorf("the dashboard is not served: %s", e.getMessage());
            callers.close();
            admission = null;
        }
    }

    /** The settings of this process, and the gate of kube-scheduler if it is known. */
    private Deployment ownSettings() {
        var configured = config.kubeScheduler().compatibilityGroups().flatMap(SchedulerGate::known);
        return new OperatorSettings(
                        config.companion().gate(),
                        config.companion().groupPolicy(),
                        config.companion().preemption(),
                        config.companion().mixins(),
                        configured.or(() -> features.scheduler().known()))
                .asDeployment();
    }

    void stop(@Observes ShutdownEvent event) {
        if (server != null) {
            server.close();
        }
        if (admission != null) {
            admission.close();
        }
    }
}
