package dev.fakegpu.runtime;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Of several operators in a cluster one acts: the one that holds the Lease {@value #LEASE} in the operator's namespace. The times are
 * those of kube-scheduler.
 */
final class Leadership implements AutoCloseable {

    static final String LEASE = "fakegpu-operator";
    static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);
    private static final Logger LOG = Logger.getLogger(Leadership.class);

    private final KubernetesClient client;
    private final String namespace;
    private final LongSupplier nanoTime;
    private final TimedLock lock;
    private @Nullable CompletableFuture<?> election;

    /** @param identity of this operator, which no other that runs at the same time has */
    Leadership(KubernetesClient client, String namespace, String identity, LongSupplier nanoTime) {
        this.client = client;
        this.namespace = namespace;
        this.nanoTime = nanoTime;
        lock = new TimedLock(new LeaseLock(namespace, LEASE, identity));
    }

    /**
     * Takes part in the election from now on.
     *
     * @param lost this operator must not go on; it can take part again only as a new process
     */
    void start(Runnable won, Runnable lost) {
        makeNamespace();
        var callbacks = new LeaderCallbacks(
                won, lost, leader -> LOG.infof(leader.isEmpty() ? "nobody is the leader" : "the leader is %s", leader));
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

    /** An operator that runs outside of the cluster may be the first to need it. */
    private void makeNamespace() {
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
     * Whether nobody else can be the leader at this moment. Counted from before the last renewal was sent, and ends {@link
     * #LEASE_DURATION} minus {@link #RENEW_DEADLINE} before others may take over, which is what clocks may differ by.
     */
    boolean isHeld() {
        return lock.renewedAt.get() != 0 && nanoTime.getAsLong() - lock.renewedAt.get() < RENEW_DEADLINE.toNanos();
    }

    /** Lets another one take over at once. */
    @Override
    public void close() {
        if (election != null) {
            election.cancel(true);
            release();
        }
    }

    /** The client's elector cannot: it leaves the holder out of its patch, which changes nothing. */
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

    /** Remembers when the last write of the Lease that succeeded was begun. */
    private final class TimedLock implements Lock {

        private final Lock lease;
        private final AtomicLong renewedAt = new AtomicLong();

        TimedLock(Lock lease) {
            this.lease = lease;
        }

        @Override
        public LeaderElectionRecord get(KubernetesClient from) {
            return lease.get(from);
        }

        @Override
        public void create(KubernetesClient to, LeaderElectionRecord leader) {
            long before = nanoTime.getAsLong();
            lease.create(to, leader);
            renewedAt.set(before);
        }

        @Override
        public void update(KubernetesClient to, LeaderElectionRecord leader) {
            long before = nanoTime.getAsLong();
            lease.update(to, leader);
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
