package dev.fakegpu.runtime;

import dev.fakegpu.util.FailureLog;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Leader election: only the replica that holds the Lease {@value #LEASE} in the operator's namespace acts. The durations are
 * kube-scheduler's defaults. Replicas compare durations and never times, so their clocks may differ: a leader stops writing {@link
 * #RENEW_DEADLINE} after it sent its last successful renewal, and others wait {@link #LEASE_DURATION} from when they saw it.
 */
final class Leadership implements AutoCloseable {

    static final String LEASE = "fakegpu-operator";
    static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    /** Of each request, as in client-go: half the renew deadline, so that a second attempt is possible. */
    private static final Duration REQUEST_TIMEOUT = RENEW_DEADLINE.dividedBy(2);

    /**
     * Of requests that fail at once (429, 5xx, a lost connection), after 100 and 200 ms. Each renewal reads and writes the Lease, so without
     * repetition a leader that loses a third of its requests loses its Lease within minutes.
     */
    private static final int REPETITIONS = 2;

    /** Releasing the Lease takes several requests, which may all hang. */
    private static final Duration RELEASE_LIMIT = Duration.ofSeconds(10);

    private static final Logger LOG = Logger.getLogger(Leadership.class);

    private final KubernetesClient client;
    private final String namespace;
    private final Ticker ticker;
    private final LeaseObserver observer;
    private final FailureLog failures;
    private final TimedLock lock;
    private volatile @Nullable CompletableFuture<?> election;

    /** @param identity unique among the replicas that run at the same time */
    Leadership(KubernetesClient client, String namespace, String identity, Clock clock, Ticker ticker) {
        this.client = client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout((int) REQUEST_TIMEOUT.toMillis())
                        .withRequestRetryBackoffLimit(REPETITIONS)
                        .build())
                .adapt(KubernetesClient.class);
        this.namespace = namespace;
        this.ticker = ticker;
        observer = new LeaseObserver(clock, ticker);
        failures = new FailureLog(ticker, LOG::warn);
        lock = new TimedLock(new LeaseLock(namespace, LEASE, identity));
    }

    /**
     * Joins the election.
     *
     * @param won called once, when this process becomes the leader
     * @param lost called when it is no longer the leader; it must then stop acting, and only a new process can join again
     */
    void start(Runnable won, Runnable lost) {
        createNamespaceIfAbsent();
        var callbacks = new LeaderCallbacks(
                won, lost, leader -> LOG.infof(leader.isEmpty() ? "there is no leader" : "the leader is %s", leader));
        election = client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(LEASE)
                        .withLock(lock)
                        .withLeaseDuration(LEASE_DURATION)
                        .withRenewDeadline(RENEW_DEADLINE)
                        .withRetryPeriod(RETRY_PERIOD)
                        .withLeaderCallbacks(callbacks)
                        .build())
                .build()
                .start();
    }

    /** When the operator runs outside the cluster, nothing else may have created the namespace yet. */
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
     * Whether this process is certainly the only leader now: {@link #RENEW_DEADLINE} has not passed since the last successful
     * renewal was sent. Others take over after {@link #LEASE_DURATION} at the earliest, so a request that is sent now has the
     * difference to arrive.
     */
    boolean isHeld() {
        return lock.renewedAt.get() != 0 && ticker.nanos() - lock.renewedAt.get() < RENEW_DEADLINE.toNanos();
    }

    /** Releases the Lease, so that another replica can take over without waiting for it to expire. Takes no longer than the limit. */
    @Override
    public void close() {
        ParallelShutdown.stop(Map.of("leader election", this::leave), RELEASE_LIMIT);
    }

    private void leave() {
        var joined = election;
        if (joined != null) {
            joined.cancel(true);
            release();
        }
    }

    /** The client's own release has no effect: its patch omits the holder instead of clearing it. */
    private void release() {
        try {
            var stored = lock.get(client);
            if (stored != null && lock.identity().equals(stored.getHolderIdentity())) {
                var released = new LeaderElectionRecord(
                        "",
                        stored.getLeaseDuration(),
                        stored.getAcquireTime(),
                        stored.getRenewTime(),
                        stored.getLeaderTransitions());
                lock.update(client, released);
            }
        } catch (KubernetesClientException e) {
            LOG.warnf("the next leader has to wait until the Lease %s has ended: %s", LEASE, e.getMessage());
        }
    }

    /** Records when the last successful write of the Lease was sent. */
    private final class TimedLock implements Lock {

        private final Lock lease;
        private final AtomicLong renewedAt = new AtomicLong();

        TimedLock(Lock lease) {
            this.lease = lease;
        }

        @Override
        public @Nullable LeaderElectionRecord get(KubernetesClient from) {
            LeaderElectionRecord stored;
            try {
                stored = lease.get(from);
            } catch (KubernetesClientException e) {
                failures.failed("the Lease " + LEASE + " cannot be read", e);
                throw e;
            }
            return stored == null || identity().equals(stored.getHolderIdentity()) ? stored : observer.observed(stored);
        }

        @Override
        public void create(KubernetesClient to, LeaderElectionRecord leader) {
            long before = ticker.nanos();
            lease.create(to, leader);
            renewedAt.set(before);
        }

        @Override
        public void update(KubernetesClient to, LeaderElectionRecord leader) {
            long before = ticker.nanos();
            try {
                lease.update(to, leader);
            } catch (KubernetesClientException e) {
                failures.failed("the Lease " + LEASE + " cannot be written", e);
                throw e;
            }
            renewedAt.set(leader.getHolderIdentity().equals(identity()) ? before : 0);
        }

        @Override
        public String identity() {
            return lease.identity();
        }

        @Override
        public String describe() {
            return lease.describe();
        }
    }
}
