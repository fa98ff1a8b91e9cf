package dev.fakegpu.schedule;

import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.explain.Explainer;
import dev.fakegpu.explain.Explanation;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import dev.fakegpu.watch.Worker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The companion's loop: one thread decides about one waiting claim or pod after the other, oldest first, and writes each
 * decision before it takes the next.
 */
public final class Companion implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Companion.class);

    private final ClusterWatch cluster;
    private final CompanionView view;
    private final CompanionOptions options;
    private final Selectors selectors;
    private final ClaimWriter claims;
    private final PodWriter pods;
    private final Releases releases;
    private final EventRecorder events;
    private final Attempts attempts = new Attempts();
    private final Worker worker;

    public Companion(
            KubernetesClient client,
            ClusterWatch cluster,
            Selectors selectors,
            EventRecorder events,
            CompanionOptions options) {
        this.cluster = cluster;
        this.view = new CompanionView(cluster);
        this.options = options;
        this.selectors = selectors;
        this.events = events;
        this.claims = new ClaimWriter(client, cluster.claims());
        this.pods = new PodWriter(client, cluster.pods());
        this.releases = new Releases(client, cluster, view, claims);
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
        releases.run();
        var waitingPods = waitingPods();
        var waitingClaims = waitingClaims();
        attempts.retain(uids(waitingPods, waitingClaims));
        waitingPods.forEach(pod -> attempt(pod, () -> schedule(pod)));
        waitingClaims.forEach(claim -> attempt(claim, () -> allocate(claim)));
    }

    private static Set<String> uids(List<Pod> pods, List<ResourceClaim> claims) {
        var uids = new HashSet<String>();
        pods.forEach(pod -> uids.add(pod.getMetadata().getUid()));
        claims.forEach(claim -> uids.add(claim.getMetadata().getUid()));
        return uids;
    }

    /** A claim or pod that changed under us is left for the next run; one failure does not stop the others. */
    private void attempt(HasMetadata object, Runnable decision) {
        try {
            decision.run();
        } catch (KubernetesClientException e) {
            boolean expected =
                    e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            LOG.logf(
                    expected ? Logger.Level.DEBUG : Logger.Level.WARN,
                    "%s %s/%s is decided again: %s",
                    object.getKind(),
                    object.getMetadata().getNamespace(),
                    object.getMetadata().getName(),
                    e.getMessage());
            worker.requestIn(Duration.ofMillis(expected ? 100 : 1000));
        }
    }

    // --- claims without a pod -----------------------------------------------------------------------------------------

    private List<ResourceClaim> waitingClaims() {
        return cluster.claims().list().stream()
                .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
                .filter(claim -> !Allocations.isAllocated(claim))
                .filter(this::isAskedFor)
                .sorted(oldestFirst())
                .toList();
    }

    /** Whether the claim or its namespace says that it wants to be allocated without a pod. */
    private boolean isAskedFor(ResourceClaim claim) {
        String own = CompanionView.labels(claim).get(Labels.ALLOCATE);
        if (own != null) {
            return own.equals("true");
        }
        return cluster.namespaces()
                .get(null, claim.getMetadata().getNamespace())
                .map(namespace -> "true".equals(CompanionView.labels(namespace).get(Labels.ALLOCATE)))
                .orElse(false);
    }

    private void allocate(ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        if (!attempts.isWorthwhile(uid, "")) {
            return;
        }
        long startedAt = attempts.now();
        var nodes = view.nodes().stream()
                .filter(node -> NodeFit.problem(node, null).isEmpty())
                .toList();
        var state = view.state();
        var wanted = List.of(ClaimReader.read(claim));
        var placement = place(state, nodes, wanted);
        if (placement.isPresent()) {
            var allocation = placement.get().allocations().get(0);
            var allocated = claims.allocate(claim, allocation, state, null);
            events.normal(allocated, EventReason.Allocated, describe(allocation));
        } else {
            refuse(claim, explain(state, nodes, wanted));
            attempts.failed(uid, "", startedAt);
        }
    }

    private void refuse(ResourceClaim claim, Explanation explanation) {
        events.warning(claim, EventReason.NotAllocated, explanation.sentence());
        claims.explain(claim, explanation.reason() + ": " + explanation.sentence());
    }

    // --- pods ---------------------------------------------------------------------------------------------------------

    private List<Pod> waitingPods() {
        return cluster.pods().list().stream()
                .filter(pod -> Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName()))
                .filter(pod -> pod.getSpec().getNodeName() == null
                        || pod.getSpec().getNodeName().isEmpty())
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> pod.getSpec().getSchedulingGates().isEmpty())
                .sorted(oldestFirst())
                .toList();
    }

    private void schedule(Pod pod) {
        var podClaims = PodClaims.of(pod, cluster.claims());
        String version = version(pod, podClaims);
        if (!attempts.isWorthwhile(pod.getMetadata().getUid(), version)) {
            return;
        }
        long startedAt = attempts.now();
        var refusal = trySchedule(pod, podClaims);
        if (refusal.isPresent()) {
            events.warning(pod, EventReason.FailedScheduling, refusal.get());
            pods.unschedulable(pod, refusal.get());
            attempts.failed(pod.getMetadata().getUid(), version, startedAt);
        }
    }

    /** @return why not; empty when the pod was bound */
    private Optional<String> trySchedule(Pod pod, PodClaims podClaims) {
        if (!podClaims.waitingFor().isEmpty()) {
            return Optional.of(String.join("; ", podClaims.waitingFor()));
        }
        var candidates = new NodeCandidates(view.nodes(), pod, podClaims.claims());
        var unallocated = podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .toList();
        var state = view.state();
        var wanted = unallocated.stream().map(ClaimReader::read).toList();
        var placement = place(state, candidates.fitting(), wanted);
        if (placement.isEmpty()) {
            return Optional.of(refuse(pod, podClaims, candidates, state, wanted));
        }
        for (int i = 0; i < unallocated.size(); i++) {
            claims.allocate(unallocated.get(i), placement.get().allocations().get(i), state, pod);
        }
        podClaims.claims().stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> !PodClaims.isReservedFor(claim, pod))
                .forEach(claim -> claims.reserve(claim, pod));
        pods.bind(pod, placement.get().node());
        events.normal(
                pod,
                EventReason.Scheduled,
                "Successfully assigned %s/%s to %s"
                        .formatted(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName(),
                                placement.get().node()));
        return Optional.empty();
    }

    private String refuse(
            Pod pod, PodClaims podClaims, NodeCandidates candidates, ClusterState state, List<Claim> wanted) {
        releases.giveUpOwnClaims(pod, podClaims);
        if (candidates.fitting().isEmpty()) {
            return candidates.summary();
        }
        return candidates.summary() + explain(state, candidates.fitting(), wanted).sentence();
    }

    /** An unchanged pod with unchanged claims has nothing new to say for itself. */
    private static String version(Pod pod, PodClaims podClaims) {
        return pod.getMetadata().getGeneration()
                + podClaims.claims().stream()
                        .map(claim -> claim.getMetadata().getUid() + Allocations.isAllocated(claim))
                        .collect(Collectors.joining(",", ":", ":"))
                + podClaims.waitingFor();
    }

    // --- both ---------------------------------------------------------------------------------------------------------

    private record Placement(String node, List<Allocation> allocations) {}

    /** The first node on which everything can be allocated. */
    private Optional<Placement> place(ClusterState state, List<Node> nodes, List<Claim> wanted) {
        var allocator = new Allocator(state, selectors, options.allocatorOptions());
        for (Node node : nodes) {
            Outcome outcome = allocator.allocate(CompanionView.read(node), wanted);
            if (outcome instanceof Outcome.Allocated allocated) {
                return Optional.of(new Placement(node.getMetadata().getName(), allocated.allocations()));
            }
            if (outcome instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.FATAL) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private Explanation explain(ClusterState state, List<Node> nodes, List<Claim> wanted) {
        return new Explainer(state, selectors, options.allocatorOptions())
                .explain(nodes.stream().map(CompanionView::read).toList(), wanted);
    }

    private static String describe(Allocation allocation) {
        return allocation.results().stream()
                .map(result -> "request \"%s\": %s of pool %s"
                        .formatted(
                                result.request(),
                                result.device().device(),
                                result.device().pool()))
                .collect(Collectors.joining("; "));
    }

    private static <T extends HasMetadata> Comparator<T> oldestFirst() {
        return Comparator.<T, String>comparing(object -> object.getMetadata().getCreationTimestamp())
                .thenComparing(object -> object.getMetadata().getNamespace())
                .thenComparing(object -> object.getMetadata().getName());
    }
}
