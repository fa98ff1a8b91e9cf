package dev.fakegpu.schedule;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.Worker;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The companion's loop: one thread decides about one waiting pod or claim after the other, oldest first, and writes each decision
 * before it takes the next.
 */
public final class Companion implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Companion.class);

    private final ClusterWatch cluster;
    private final CompanionView view;
    private final CompanionOptions options;
    private final Attempts attempts = new Attempts();
    private final Releases releases;
    private final PodScheduling pods;
    private final ClaimAllocation claims;
    private final Worker worker;

    public Companion(
            KubernetesClient client,
            ClusterWatch cluster,
            Selectors selectors,
            EventRecorder events,
            CompanionOptions options,
            Clock clock) {
        this.view = new CompanionView(cluster, options.gate());
        var placer = new Placer(selectors, options.allocatorOptions());
        var claimWriter = new ClaimWriter(client, cluster.claims(), clock);
        var podWriter = new PodWriter(client, cluster.pods());
        this.cluster = cluster;
        this.options = options;
        this.releases = new Releases(client, cluster, claimWriter);
        this.pods = new PodScheduling(cluster, placer, claimWriter, podWriter, releases, events, attempts);
        this.claims = new ClaimAllocation(cluster, placer, claimWriter, events, attempts);
        this.worker = new Worker("companion", this::run);
    }

    public void start() {
        LOG.infof("companion: compatibility groups %s, group policy %s", options.gate(), options.groupPolicy());
        new CompanionTriggers(cluster, attempts, worker).register();
        worker.request();
    }

    @Override
    public void close() {
        worker.close();
    }

    private void run() {
        var picture = view.picture(attempts.now());
        var ours = view.pools();
        cluster.claims().list().forEach(claim -> worker.attempt(claim, () -> releases.decide(claim, ours)));
        var waitingPods = pods.waiting();
        var waitingClaims = claims.waiting();
        attempts.retain(Stream.concat(waitingPods.stream(), waitingClaims.stream())
                .map(object -> object.getMetadata().getUid())
                .collect(Collectors.toSet()));
        waitingPods.forEach(pod -> worker.attempt(pod, () -> pods.decide(pod, picture)));
        waitingClaims.forEach(claim -> worker.attempt(claim, () -> claims.decide(claim, picture)));
    }
}
