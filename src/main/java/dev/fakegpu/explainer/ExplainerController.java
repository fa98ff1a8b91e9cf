package dev.fakegpu.explainer;

import dev.fakegpu.allocate.AllocatedDevices;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.GroupsGate;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.schedule.fit.ExtendedResources;
import dev.fakegpu.schedule.fit.NodeUsage;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Tells pods and claims why they wait, by events. It looks when something changed that may make a difference, a moment later, so
 * that what settles by itself is not told; and says each thing once.
 */
public final class ExplainerController implements AutoCloseable {

    private static final Duration BEFORE_LOOKING = Duration.ofSeconds(1);

    /** Claims are often made just before the pod that uses them. */
    private static final Duration BEFORE_CLAIMS_ARE_UNUSED = Duration.ofSeconds(5);

    /** Of the time it takes at most one part in so many. */
    private static final int REST = 4;

    private final ClusterWatch cluster;
    private final Selectors selectors;
    private final EventRecorder events;
    private final Supplier<GroupsGate> gate;
    private final Clock clock;
    private final PendingWatchlist unserved;
    private final CoalescingWorker worker = new CoalescingWorker("explainer", this::advise);
    private final AtomicBoolean isDue = new AtomicBoolean();
    private volatile Duration pause = BEFORE_LOOKING;

    // For the worker's thread only.
    private final Map<String, EventText> told = new HashMap<>();
    private KubeSchedulerSlices slices = new KubeSchedulerSlices();

    /** @param gate how kube-scheduler treats compatibility groups */
    public ExplainerController(
            ClusterWatch cluster, Selectors selectors, EventRecorder events, Supplier<GroupsGate> gate, Clock clock) {
        this.cluster = cluster;
        this.selectors = selectors;
        this.events = events;
        this.gate = gate;
        this.clock = clock;
        unserved = new PendingWatchlist(cluster, () -> lookIn(pause));
    }

    /** Tells from now on. */
    public void start() {
        unserved.register();
    }

    @Override
    public void close() {
        worker.close();
    }

    private void lookIn(Duration delay) {
        if (isDue.compareAndSet(false, true)) {
            worker.requestIn(delay);
        }
    }

    private void advise() {
        isDue.set(false);
        Instant begin = clock.instant();
        List<Pod> pods = unserved.pods().toList();
        List<ResourceClaim> claims = oldEnough(unserved.claims(), begin);
        if (pods.isEmpty() && claims.isEmpty()) {
            slices = new KubeSchedulerSlices();
            told.clear();
            return;
        }
        var diagnosis = new PendingReasons(state(), selectors);
        tell(pods, diagnosis);
        claims.forEach(claim -> tell(claim, diagnosis.ofUnusedClaim(ClaimReader.read(claim), isLabelled(claim))));
        forgetOthers(pods, claims);
        Duration taken = Duration.between(begin, clock.instant()).multipliedBy(REST);
        pause = taken.compareTo(BEFORE_LOOKING) > 0 ? taken : BEFORE_LOOKING;
    }

    private void tell(List<Pod> pods, PendingReasons diagnosis) {
        var usage = new NodeUsage();
        cluster.pods().list().forEach(usage::update);
        var classes = ExtendedResources.of(cluster.deviceClasses().list());
        Collection<SchedulableNode> nodes =
                cluster.nodes().list().stream().map(SchedulableNode::of).toList();
        var byWants = new HashMap<Object, Optional<EventText>>();
        for (Pod pod : pods) {
            var podClaims = PodClaims.of(pod, cluster.claims());
            var wants = new PodDemand(pod, podClaims, usage, classes);
            if (podClaims.waitingFor().isEmpty() && wants.anyDevices()) {
                tell(pod, byWants.computeIfAbsent(wants.key(), key -> advice(pod, wants, nodes, diagnosis)));
            }
        }
    }

    private static Optional<EventText> advice(
            Pod pod, PodDemand wants, Collection<SchedulableNode> nodes, PendingReasons diagnosis) {
        if (Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName())) {
            return diagnosis.ofCompanion(wants.claims(List.of()));
        }
        List<SchedulableNode> fitting = wants.fitting(nodes);
        return diagnosis.ofKubeScheduler(wants.claims(fitting), PodDemand.devices(fitting));
    }

    /** Once, until there is something else to say. */
    private void tell(HasMetadata about, Optional<EventText> advice) {
        advice.filter(now -> !now.equals(told.put(about.getMetadata().getUid(), now)))
                .ifPresent(now -> {
                    if (now.reason() == EventReason.WaitForFirstConsumer) {
                        events.normal(about, now.reason(), now.sentence());
                    } else {
                        events.warning(about, now.reason(), now.sentence());
                    }
                });
    }

    private void forgetOthers(List<Pod> pods, List<ResourceClaim> claims) {
        Set<String> present = new HashSet<>();
        pods.forEach(pod -> present.add(pod.getMetadata().getUid()));
        claims.forEach(claim -> present.add(claim.getMetadata().getUid()));
        told.keySet().retainAll(present);
    }

    private List<ResourceClaim> oldEnough(List<ResourceClaim> claims, Instant now) {
        var old = new ArrayList<ResourceClaim>();
        for (ResourceClaim claim : claims) {
            Instant due =
                    Instant.parse(claim.getMetadata().getCreationTimestamp()).plus(BEFORE_CLAIMS_ARE_UNUSED);
            if (due.isAfter(now)) {
                lookIn(Duration.between(now, due));
            } else {
                old.add(claim);
            }
        }
        return old;
    }

    private boolean isLabelled(ResourceClaim claim) {
        return "true"
                .equals(Optional.ofNullable(SchedulableNode.labels(claim).get(Labels.ALLOCATE))
                        .or(() -> cluster.namespaces()
                                .get(null, claim.getMetadata().getNamespace())
                                .map(namespace ->
                                        SchedulableNode.labels(namespace).get(Labels.ALLOCATE)))
                        .orElse(""));
    }

    private PendingReasons.State state() {
        // By the groups in the slices now: kube-scheduler keeps no record of others.
        var options = new AllocatorOptions(gate.get(), GroupPolicy.LIVE, List.of());
        slices.refresh(cluster, options);
        var held = cluster.claims().list().stream()
                .flatMap(claim -> DeviceStatuses.allocated(claim).stream())
                .toList();
        return new PendingReasons.State(
                slices.offered(),
                slices.index(),
                cluster.deviceClasses().list().stream()
                        .map(ClaimReader::read)
                        .collect(Collectors.toMap(DeviceClass::name, Function.identity())),
                new AllocatedDevices(held, GroupPolicy.LIVE),
                options);
    }
}
