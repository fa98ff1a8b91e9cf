package dev.fakegpu.runtime;

import dev.fakegpu.util.FailureLog;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Leader election: only the replica that holds the Lease {@value #LEASE} in the operator's namespace acts. The durations are
 * kube-scheduler's defaults. Replicas compare durations and never times, so their clocks may differ and may be set: a leader stops writing
 * {@link #RENEW_DEADLINE} after it sent its last successful renewal, and others wait for {@link #LEASE_DURATION} after they saw it. The
 * client library's own elector compares clock times, so that setting a clock ends a leader or leads to two leaders.
 */
final class Leadership implements AutoCloseable {

    static final String LEASE = "fakegpu-operator";
    static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    /** The timeout of each request, as in client-go: half the renew deadline, so that a second attempt is possible. */
    private static final Duration REQUEST_TIMEOUT = RENEW_DEADLINE.dividedBy(2);

    /**
     * The number of retries of requests that fail immediately (429, 5xx, a lost connection), after 100 and 200 ms, so that a leader that
     * loses a third of its requests keeps its Lease.
     */
    private static final int REPETITIONS = 2;

    /** Releasing the Lease takes several requests, all of which may hang. */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);

    /** How often releasing the Lease is tried if each time another write of the Lease comes first. */
    private static final int RELEASE_ATTEMPTS = 5;

    private static final Logger LOG = Logger.getLogger(Leadership.class);

    private final KubernetesClient client;
    private final String namespace;
    private final LeaderLease lease;
    private final Ticker ticker;
    private final FailureLog failures;

    /** One thread renews the Lease; the other checks that it does, even while a request hangs. */
    private final ScheduledExecutorService election = TaskExecutors.THREADS.named("leader-election", 2);

    /** The Lease as last stored by this replica; null before it leads, and if another replica may have written since. */
    private @Nullable Lease mine;

    private String leader = "";

    /** When the last successful write of the Lease was sent; null before this process leads. */
    private volatile @Nullable Moment renewed;

    /** Whether this process can never lead again. */
    private volatile boolean over;

    /** @param identity unique among the replicas that run at the same time */
    Leadership(KubernetesClient client, String namespace, String identity, Clock clock, Ticker ticker) {
        this.client = client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout((int) REQUEST_TIMEOUT.toMillis())
                        .withRequestRetryBackoffLimit(REPETITIONS)
                        .build())
                .adapt(KubernetesClient.class);
        this.namespace = namespace;
        this.ticker = ticker;
        lease = new LeaderLease(identity, LEASE_DURATION, clock, ticker);
        failures = new FailureLog(ticker, LOG::warn);
    }

    /**
     * Joins the election.
     *
     * @param won called once, when this process becomes the leader; the Lease is not renewed before it returns
     * @param lost called once, when it is no longer the leader; it must then stop acting, and only a new process can join the election
     *     again
     */
    void start(Runnable won, Runnable lost) {
        createNamespaceIfAbsent();
        repeat(() -> renew(won), RETRY_PERIOD);
        repeat(() -> watch(lost), RETRY_PERIOD.dividedBy(4));
    }

    private void repeat(Runnable task, Duration interval) {
        var unused = election.scheduleWithFixedDelay(task, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** When the operator runs outside of the cluster, the namespace may not exist yet. */
    private void createNamespaceIfAbsent() {
        if (client.namespaces().withName(namespace).get() != null) {
            return;
        }
        try {
            client.resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(namespace)
                            .endMetadata()
                            .build())
                    .create();
            LOG.infof("created the namespace %s, for the Lease of the operator's leader", namespace);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    /**
     * Whether this process is certainly the only leader now: {@link #RENEW_DEADLINE} has not passed since the last successful renewal was
     * sent. Others take over after {@link #LEASE_DURATION} at the earliest, so the difference remains for a request that is sent now to
     * arrive.
     */
    boolean isHeld() {
        Moment last = renewed;
        return !over && last != null && ticker.since(last).compareTo(RENEW_DEADLINE) < 0;
    }

    private void watch(Runnable lost) {
        if (!over && renewed != null && !isHeld()) {
            over = true;
            lost.run();
        }
    }

    private synchronized void renew(Runnable won) {
        if (over) {
            return;
        }
        try {
            boolean led = renewed != null;
            if (attempt() && !led) {
                won.run();
            }
        } catch (RuntimeException e) {
            mine = null;
            failures.failed("the Lease " + LEASE + " cannot be read or written", e);
        }
    }

    /** @return whether this process holds the Lease now */
    private boolean attempt() {
        Lease stored = mine != null ? mine : stored().get();
        Moment before = ticker.now();
        if (stored == null) {
            mine = client.resource(lease.created(namespace, LEASE)).create();
        } else {
            var held = lease.held(stored);
            if (held.isEmpty()) {
                lostTo(stored.getSpec().getHolderIdentity());
                return false;
            }
            mine = client.resource(held.get()).update();
        }
        renewed = before;
        report(mine.getSpec().getHolderIdentity());
        return true;
    }

    /** The Lease may have been written before it expired, for example by hand. */
    private void lostTo(String holder) {
        if (renewed != null) {
            renewed = Moment.NEVER;
        }
        report(holder);
    }

    private void report(String holder) {
        if (!leader.equals(holder)) {
            leader = holder;
            LOG.infof("the leader is %s", holder);
        }
    }

    private Resource<Lease> stored() {
        return client.leases().inNamespace(namespace).withName(LEASE);
    }

    /** Releases the Lease, so that another replica can take over without waiting for it to expire. Takes no longer than the limit. */
    @Override
    public void close() {
        ParallelShutdown.stop(Map.of("leader election", this::leave), RELEASE_LIMIT);
    }

    private void leave() {
        over = true;
        election.shutdownNow();
        release();
    }

    /**
     * Reads the Lease, because the response to its last renewal may have been lost. The API server may store that renewal even after this;
     * then the Lease is read again.
     */
    private synchronized void release() {
        for (int attempt = 1; !isReleased(attempt); attempt++) {
            LOG.debugf("the Lease %s has changed since it was read, and is released again", LEASE);
        }
    }

    /** @return false if there was a conflict, and another attempt may follow */
    private boolean isReleased(int attempt) {
        try {
            Optional.ofNullable(stored().get())
                    .flatMap(lease::released)
                    .ifPresent(released -> client.resource(released).update());
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT && attempt < RELEASE_ATTEMPTS) {
                return false;
            }
            LOG.warnf("the next leader has to wait until the Lease %s expires: %s", LEASE, e.getMessage());
        }
        return true;
    }
}
