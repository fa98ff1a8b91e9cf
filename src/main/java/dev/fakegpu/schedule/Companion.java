package dev.fakegpu.schedule;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.Worker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The companion's loop: one thread decides about one waiting pod or claim after the other, oldest first, and writes each decision
 * before it takes the next.
 */
public final class Companion implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Companion.class);
    private static final Duration AFTER_CONFLICT = Duration.ofMillis(100);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

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
            CompanionOptions options) {
        this.view = new CompanionView(cluster);
        var placer = new Placer(selectors, options.allocatorOptions());
        var claimWriter = new ClaimWriter(client, cluster.claims());
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
        cluster.claims().list().forEach(claim -> attempt(claim, () -> releases.decide(claim, ours)));
        var waitingPods = pods.waiting();
        var waitingClaims = claims.waiting();
        attempts.retain(Stream.concat(waitingPods.stream(), waitingClaims.stream())
                .map(object -> object.getMetadata().getUid())
                .collect(Collectors.toSet()));
        waitingPods.forEach(pod -> attempt(pod, () -> pods.decide(pod, picture)));
        waitingClaims.forEach(claim -> attempt(claim, () -> claims.decide(claim, picture)));
    }

    /** What changed under us is left for the next run, and one failure does not stop the others. */
    private void attempt(HasMetadata object, Runnable decision) {
        try {
            decision.run();
        } catch (KubernetesClientException e) {
            boolean changedMeanwhile =
                    e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            LOG.logf(
                    changedMeanwhile ? Logger.Level.DEBUG : Logger.Level.WARN,
                    "%s %s/%s is decided again: %s",
                    object.getKind(),
                    object.getMetadata().getNamespace(),
                    object.getMetadata().getName(),
                    e.getMessage());
            worker.requestIn(changedMeanwhile ? AFTER_CONFLICT : AFTER_FAILURE);
        }
    }
}
