package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.kube.client.ObjectPatch;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.FailureLog;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps simulated nodes Ready as a kubelet does: renews their Leases, and refreshes the heartbeats in their status every five minutes.
 *
 * <p>Each node has at most one heartbeat in flight, and all nodes together at most {@link #IN_FLIGHT}. Even if the API server takes two
 * seconds for each request, 1,000 nodes are served before their Leases expire, and a hanging request delays only its own node. The threads
 * are used for nothing else, so publishing or scheduling does not delay heartbeats.
 */
public final class NodeHeartbeat implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(NodeHeartbeat.class);

    /** As in the kubelet, a quarter of the lease duration; kube-controller-manager marks a node unreachable after 50 s without renewal. */
    private static final Duration RENEW_INTERVAL = Duration.ofSeconds(10);

    /**
     * 500 renewals per second, for 5,000 nodes, would use half a CPU of the API server. With this interval, each Lease is still renewed
     * twice in its duration.
     */
    private static final Duration RENEW_INTERVAL_OF_MANY = Duration.ofSeconds(20);

    private static final int MANY = 1000;

    private static final int IN_FLIGHT = 64;

    /** The timeout of each request. Requests are not retried: the next heartbeat starts from the stored state. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration LEASE_DURATION = Duration.ofSeconds(40);
    private static final Duration STATUS_REFRESH = Duration.ofMinutes(5);
    private static final Duration AFTER_CONFLICT = Duration.ofSeconds(1);
    private static final String LEASE_NAMESPACE = "kube-node-lease";

    private final KubernetesClient client;
    private final ObjectStore<Node> nodes;
    private final Function<String, Optional<FakeGpu>> fakeGpus;
    private final Clock clock;
    private final Ticker ticker;
    private final CoalescingWorker worker;
    private final FailureLog failures;

    /** Drops requests after it is closed. */
    private final ExecutorService requests = new ThreadPoolExecutor(
            IN_FLIGHT,
            IN_FLIGHT,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            NodeHeartbeat::thread,
            new ThreadPoolExecutor.DiscardPolicy());

    private Moment nextRenewal = Moment.NEVER;

    /** The last written Lease of each node, by node UID, so that a renewal takes a single update, as in the kubelet. */
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();

    /** The UIDs of the nodes that have a heartbeat in flight. */
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    public NodeHeartbeat(KubernetesClient client, ClusterWatch cluster, Clock clock, Ticker ticker) {
        this.client = client.newClient(new RequestConfigBuilder()
                        .withRequestTimeout((int) REQUEST_TIMEOUT.toMillis())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .adapt(KubernetesClient.class);
        this.nodes = cluster.nodes();
        this.fakeGpus = name -> cluster.fakeGpus().get(null, name);
        this.clock = clock;
        this.ticker = ticker;
        this.worker = new CoalescingWorker("node-heartbeat", this::run);
        this.failures = new FailureLog(ticker, LOG::warn);
    }

    private static Thread thread(Runnable task) {
        var thread = new Thread(task, "node-heartbeat-request");
        thread.setDaemon(true);
        return thread;
    }

    public void start() {
        nodes.addListener((before, after) -> {
            if (after != null && needsRepair(after) && SimulatedNode.isSimulated(after, fakeGpus)) {
                submit(after, this::repair);
            }
        });
        worker.request();
    }

    @Override
    public void close() {
        worker.close();
        requests.shutdownNow();
    }

    private void run() {
        var simulated = nodes.list().stream()
                .filter(node -> SimulatedNode.isSimulated(node, fakeGpus)
                        && node.getMetadata().getDeletionTimestamp() == null)
                .toList();
        boolean renew = !ticker.now().isBefore(nextRenewal);
        if (renew) {
            Duration interval = renewInterval(simulated.size());
            nextRenewal = ticker.now().plus(interval);
            worker.requestIn(interval);
        }
        leases.keySet()
                .retainAll(simulated.stream()
                        .map(node -> node.getMetadata().getUid())
                        .collect(Collectors.toSet()));
        if (renew) {
            simulated.forEach(node -> submit(node, this::renew));
        } else {
            simulated.stream().filter(this::isOutdated).forEach(node -> submit(node, this::repair));
        }
    }

    static Duration renewInterval(int nodes) {
        return nodes > MANY ? RENEW_INTERVAL_OF_MANY : RENEW_INTERVAL;
    }

    /** @param heartbeat receives the latest version of the node */
    private void submit(Node node, Consumer<Node> heartbeat) {
        String uid = node.getMetadata().getUid();
        if (!underWay.add(uid)) {
            return;
        }
        requests.execute(() -> {
            try {
                // The heartbeat may have waited in the queue.
                nodes.get(null, node.getMetadata().getName())
                        .filter(newest -> uid.equals(newest.getMetadata().getUid()))
                        .ifPresent(heartbeat);
            } catch (RuntimeException e) {
                report(node, e);
            } finally {
                underWay.remove(uid);
            }
        });
    }

    private void report(Node node, RuntimeException e) {
        boolean changedMeanwhile = e instanceof KubernetesClientException answer
                && (answer.getCode() == HttpURLConnection.HTTP_CONFLICT
                        || answer.getCode() == HttpURLConnection.HTTP_NOT_FOUND);
        var what = "heartbeat of node " + node.getMetadata().getName();
        if (changedMeanwhile) {
            LOG.debugf("%s: %s", what, e.getMessage());
            worker.requestIn(AFTER_CONFLICT);
        } else {
            failures.failed(what, e);
        }
    }

    private void renew(Node node) {
        renewLease(node);
        updateStatus(node);
    }

    /** Handles a node that is new or whose status changed between two renewals. */
    private void repair(Node node) {
        if (!Readiness.isNodeReady(node)) {
            renewLease(node);
        }
        updateStatus(node);
    }

    /** Leaves what users have set until they change it. */
    private void updateStatus(Node node) {
        if (SimulatedNode.isSetNotReady(node)) {
            return;
        }
        var current = node;
        if (!Readiness.isNodeReady(node) || isStale(node)) {
            current = makeReady(node);
        }
        if (SimulatedNode.hasNotReadyTaint(current)) {
            removeNotReadyTaint(current);
        }
    }

    private void renewLease(Node node) {
        String uid = node.getMetadata().getUid();
        Lease known = leases.remove(uid);
        leases.put(uid, known == null ? applyLease(node) : updateLease(known));
    }

    private Lease updateLease(Lease known) {
        return client.resource(known.edit()
                        .editSpec()
                        .withRenewTime(renewTime(known.getSpec().getRenewTime()))
                        .endSpec()
                        .build())
                .update();
    }

    private Lease applyLease(Node node) {
        var name = node.getMetadata().getName();
        Lease lease = new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(LEASE_NAMESPACE)
                .withName(name)
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("Node")
                .withName(name)
                .withUid(node.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(name)
                .withLeaseDurationSeconds((int) LEASE_DURATION.toSeconds())
                .withRenewTime(renewTime(null))
                .endSpec()
                .build();
        return client.resource(lease)
                .fieldManager("fakegpu-heartbeat")
                .forceConflicts()
                .serverSideApply();
    }

    /**
     * Returns the current time, or a time after the last one if the clock was set back: kube-controller-manager accepts only a later time
     * as a renewal ({@code tryUpdateNodeHealth} in {@code pkg/controller/nodelifecycle}).
     */
    private ZonedDateTime renewTime(@Nullable ZonedDateTime last) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
        return last == null || now.isAfter(last) ? now : last.plus(1, ChronoUnit.MICROS);
    }

    private Node makeReady(Node node) {
        var ready = ObjectPatch.updateStatus(client, node, ReadyNode.of(node, clock.instant()));
        nodes.written(ready);
        return ready;
    }

    /** Without a node lifecycle controller, nothing else removes the taint. */
    private void removeNotReadyTaint(Node node) {
        nodes.written(ObjectPatch.update(
                client,
                node,
                new NodeBuilder(node)
                        .editSpec()
                        .removeMatchingFromTaints(taint -> SimulatedNode.isNotReadyTaint(taint.build()))
                        .endSpec()
                        .build()));
    }

    private boolean isOutdated(Node node) {
        return needsRepair(node) || !SimulatedNode.isSetNotReady(node) && isStale(node);
    }

    private static boolean needsRepair(Node node) {
        return !SimulatedNode.isReadyForPods(node) && !SimulatedNode.isSetNotReady(node);
    }

    /** Also returns true if the time of the heartbeat is in the future. */
    private boolean isStale(Node node) {
        Instant now = clock.instant();
        return ReadyNode.condition(node, "Ready")
                .map(NodeCondition::getLastHeartbeatTime)
                .map(Instant::parse)
                .filter(last -> last.plus(STATUS_REFRESH).isAfter(now) && !last.isAfter(now))
                .isEmpty();
    }
}
