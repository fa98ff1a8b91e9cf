package dev.fakegpu.operator.explainer;

import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.ClaimUses;
import dev.fakegpu.cluster.fit.DeviceLookup;
import dev.fakegpu.cluster.fit.ExtendedResources;
import dev.fakegpu.cluster.fit.GangClaims;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.pending.EventText;
import dev.fakegpu.cluster.pending.PendingReasons;
import dev.fakegpu.cluster.pending.PodDemand;
import dev.fakegpu.cluster.pending.SchedulerFacts;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.kube.watch.LeftOutObjects;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.DevicesOfOtherAllocators;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.StoredTimes;
import dev.fakegpu.util.ThreadCpuTime;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes events about pods and claims that another scheduler has refused, or that name the wrong one. It waits briefly after a relevant
 * change, so that transient problems cause no event, and writes each event once. The time that each pod, claim and namespace can take of
 * its thread is limited.
 */
public final class ExplainerController implements AutoCloseable {

    /** Claims are often created shortly before or after the pod that uses them, and schedulers need some time. */
    private static final Duration UNATTENDED_DELAY = Duration.ofSeconds(5);

    /** kube-scheduler retries a pod after at most 10 s, so devices may be free for some time although it refused the pod. */
    private static final Duration SUSPICION_DELAY = Duration.ofSeconds(20);

    /** Reasons for pods whose devices are free, which is normal for a short time. */
    private static final Set<EventReason> SUSPICIONS = EnumSet.of(EventReason.GroupsIgnored, EventReason.NotRetried);

    /**
     * The explanation that several pods share.
     *
     * @param text empty if there was no time for it; otherwise the event, if there is one to write
     */
    private record Shared(Pod first, Optional<Optional<EventText>> text) {

        /** Returns the explanation for a pod that may have been refused for another reason than the first pod. */
        Shared of(PodDemand demand, Collection<SchedulableNode> nodes) {
            return new Shared(
                    first,
                    text.map(known -> known.filter(each -> !isSuspicion(each) || demand.isRefusedForDevices(nodes))));
        }
    }

    private final ClusterWatch cluster;
    private final ExplainerOptions options;
    private final Ticker ticker;
    private final StoredTimes creations;
    private final PendingWatchlist watchlist;
    private final UnreadableObjectEvents unreadable;
    private final CoalescingWorker worker = new CoalescingWorker("explainer", this::explainPending);
    private final PassSchedule schedule = new PassSchedule();
    private final AtomicBoolean hasChanged = new AtomicBoolean();
    private final Queue<String> arrivals = new ConcurrentLinkedQueue<>();

    // Only the worker's thread uses it.
    private final WrittenEvents written;
    private final Map<String, Moment> suspectedSince = new HashMap<>();
    private final ExplanationTurns turns = new ExplanationTurns(
            new ExplanationTurns.Time(ThreadCpuTime::nanos, Ticker.SYSTEM::nanos, () -> !arrivals.isEmpty()));
    private KubeSchedulerSlices slices = new KubeSchedulerSlices();

    public ExplainerController(
            ClusterWatch cluster, EventRecorder events, ExplainerOptions options, Clock clock, Ticker ticker) {
        this.cluster = cluster;
        written = new WrittenEvents(events);
        this.options = options;
        this.ticker = ticker;
        creations = new StoredTimes(clock, ticker);
        unreadable = new UnreadableObjectEvents(cluster.unreadable(), events);
        watchlist = new PendingWatchlist(cluster, this::arrived, this::changed);
    }

    /** Starts explaining. */
    public void start() {
        watchlist.register();
        unreadable.start();
    }

    @Override
    public void close() {
        worker.close();
        unreadable.close();
    }

    private void arrived(HasMetadata object) {
        arrivals.add(object.getMetadata().getUid());
        if (isRefused(object)) {
            schedule.arrived(ticker.now());
            changed(); // it may come before others
        } else {
            schedule.arrivalsDueAt(attendedUntil(object));
        }
        requestPass();
    }

    private void changed() {
        hasChanged.set(true);
        schedule.changed(ticker.now());
        requestPass();
    }

    private void requestPass() {
        schedule.setTimer().ifPresent(due -> worker.requestIn(ticker.until(due)));
    }

    private void explainPending() {
        Moment begin = ticker.now();
        PassSchedule.Pass pass = schedule.begin(begin);
        try {
            if (pass != PassSchedule.Pass.NONE) {
                explainPending(pass, begin);
                schedule.ended(pass, begin, ticker.now());
            }
        } catch (RuntimeException e) {
            hasChanged.set(true);
            schedule.changed(begin);
            throw e;
        } finally {
            requestPass();
        }
    }

    private void explainPending(PassSchedule.Pass pass, Moment begin) {
        for (String uid = arrivals.poll(); uid != null; uid = arrivals.poll()) {
            turns.arrived(uid);
        }
        lookAgainAtSuspected(begin);
        if (pass == PassSchedule.Pass.FULL && hasChanged.getAndSet(false)) {
            turns.clusterChanged();
        }
        List<Pod> allPods = watchlist.pods();
        List<ResourceClaim> allClaims = watchlist.claims();
        creations.retain(uids(allPods, allClaims));
        List<Pod> pods = oldEnough(allPods, begin);
        List<ResourceClaim> claims = oldEnough(allClaims, begin);
        forgetOthers(uids(pods, claims));
        if (pods.isEmpty() && claims.isEmpty()) {
            slices = new KubeSchedulerSlices();
            return;
        }
        var reasons = new PendingReasons(state(), Selectors.shared());
        turns.nextPass();
        write(inOrder(pass, pods), reasons);
        inOrder(pass, claims)
                .forEach(claim -> turns.of(claim, limit -> text(claim, reasons.within(limit)))
                        .ifPresent(text -> written.write(claim, text)));
        if (turns.isIncomplete()) {
            Moment end = ticker.now();
            schedule.changed(end);
            if (Stream.concat(pods.stream(), claims.stream()).anyMatch(turns::isNew)) {
                schedule.arrivalsAreLeft(end);
            }
        }
    }

    private <T extends HasMetadata> List<T> inOrder(PassSchedule.Pass pass, List<T> all) {
        return turns.inOrder(
                pass == PassSchedule.Pass.FULL
                        ? all
                        : all.stream().filter(turns::isNew).toList());
    }

    private void write(List<Pod> pods, PendingReasons reasons) {
        var usage = new NodeUsage();
        cluster.pods().list().forEach(usage::update);
        var classes = ExtendedResources.of(cluster.deviceClasses().list());
        Collection<SchedulableNode> nodes = cluster.nodes().list().stream()
                .filter(UnreadableFields::isReadable)
                .map(SchedulableNode::of)
                .toList();
        var byDemand = new HashMap<Object, Shared>();
        var gangs = new GangClaims(cluster::podGroup, cluster::podsOfGroup, pod -> PodClaims.of(pod, cluster.claims()));
        Map<Object, List<Waiting>> waiting = waiting(usage, classes);
        for (Pod pod : pods) {
            if (!turns.hasTime(pod)) {
                continue;
            }
            var podClaims = PodClaims.of(pod, cluster.claims());
            var demand = new PodDemand(pod, podClaims, usage, classes, DeviceLookup.NONE);
            Optional<EventText> ofItself = PodState.isOfCompanion(pod) ? Optional.empty() : demand.problem(nodes);
            if (ofItself.isPresent()) {
                turns.skip(pod);
                written.write(pod, ofItself);
            } else if (podClaims.waitingFor().isEmpty() && demand.anyDevices()) {
                Function<SearchLimit, Optional<EventText>> explain = limit ->
                        text(pod, demand, nodes, reasons.keeping(gangs.of(pod)).within(limit));
                Shared shared = byDemand.computeIfAbsent(
                        List.of(demand.key(), gangs.gang(pod)), key -> new Shared(pod, turns.of(pod, explain)));
                writeShared(pod, shared.of(demand, nodes), waiting.getOrDefault(demand.requirements(), List.of()));
            } else {
                turns.skip(pod);
                written.write(pod, Optional.empty());
            }
        }
    }

    /** @param waiting all pods that wait for the same devices, in order */
    private void writeShared(Pod pod, Shared shared, List<Waiting> waiting) {
        turns.shareTurn(pod, shared.first());
        var reader = options.naming().forReaderIn(pod.getMetadata().getNamespace());
        shared.text()
                .ifPresent(text -> written.write(
                        pod, confirmed(pod, text).map(known -> known.behind(Waiting.of(pod), waiting, reader))));
    }

    /** Holds back a text that may be true only for a moment until it has been true for some time. */
    private Optional<EventText> confirmed(Pod pod, Optional<EventText> text) {
        String uid = pod.getMetadata().getUid();
        if (text.filter(ExplainerController::isSuspicion).isEmpty()) {
            suspectedSince.remove(uid);
            return text;
        }
        Moment now = ticker.now();
        Moment due = suspectedSince.computeIfAbsent(uid, ignored -> now).plus(SUSPICION_DELAY);
        if (due.isAfter(now)) {
            schedule.arrivalsDueAt(due);
            return Optional.empty();
        }
        return text;
    }

    private static boolean isSuspicion(EventText text) {
        return SUSPICIONS.contains(text.reason());
    }

    private void lookAgainAtSuspected(Moment now) {
        suspectedSince.forEach((uid, since) -> {
            Moment due = since.plus(SUSPICION_DELAY);
            if (due.isAfter(now)) {
                schedule.arrivalsDueAt(due);
            } else if (written.last(uid)
                    .filter(ExplainerController::isSuspicion)
                    .isEmpty()) {
                turns.arrived(uid);
            }
        });
    }

    /** The refused pods of other schedulers, in order, by their requirements. */
    private Map<Object, List<Waiting>> waiting(NodeUsage usage, ExtendedResources classes) {
        return watchlist.pods().stream()
                .filter(PodDemand::isRefused)
                .sorted(Comparator.comparing(Waiting::of))
                .collect(Collectors.groupingBy(
                        pod -> new PodDemand(
                                        pod, PodClaims.of(pod, cluster.claims()), usage, classes, DeviceLookup.NONE)
                                .requirements(),
                        Collectors.mapping(Waiting::of, Collectors.toList())));
    }

    private Optional<EventText> text(
            Pod pod, PodDemand demand, Collection<SchedulableNode> nodes, PendingReasons reasons) {
        if (PodState.isOfCompanion(pod)) {
            return reasons.ofCompanion(demand.claims(List.of()));
        }
        if (PendingWatchlist.isUnattended(pod)) {
            return reasons.ofUnattended(demand.claims(List.of()), pod.getSpec().getSchedulerName());
        }
        List<SchedulableNode> fitting = demand.fitting(nodes);
        Optional<EventText> simulated = demand.isKeptOffSimulatedNodes(nodes)
                ? reasons.ofSimulatedNodes(demand.claims(fitting))
                : Optional.empty();
        return simulated.or(() -> reasons.ofKubeScheduler(
                        demand.claims(fitting),
                        PodDemand.devices(fitting),
                        options.naming()
                                .forReaderIn(pod.getMetadata().getNamespace())
                                .with(ClaimUses.in(cluster.claims(), cluster.pods())),
                        demand.wording(fitting),
                        (here, serves) -> demand.otherNodes(nodes, here, serves),
                        SchedulerFacts.isKubeScheduler(pod))
                .map(text -> text.noting(LeftOutObjects.sentences(cluster, slice -> true))));
    }

    private Optional<EventText> text(ResourceClaim claim, PendingReasons reasons) {
        return isLabelled(claim)
                ? reasons.ofLabelledClaim(ClaimReader.read(claim))
                : reasons.ofUnusedClaim(ClaimReader.read(claim));
    }

    private static Set<String> uids(List<Pod> pods, List<ResourceClaim> claims) {
        return Stream.concat(pods.stream(), claims.stream())
                .map(object -> object.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    private void forgetOthers(Set<String> present) {
        turns.retain(present);
        suspectedSince.keySet().retainAll(present);
        written.retain(present);
    }

    private <T extends HasMetadata> List<T> oldEnough(List<T> objects, Moment now) {
        var old = new ArrayList<T>();
        for (T object : objects) {
            if (isRefused(object) || !attendedUntil(object).isAfter(now)) {
                old.add(object);
            } else {
                schedule.arrivalsDueAt(attendedUntil(object));
            }
        }
        return old;
    }

    private boolean isRefused(HasMetadata object) {
        return object instanceof Pod pod && PodDemand.isRefused(pod) && !areClaimsBeingMade(pod);
    }

    private boolean areClaimsBeingMade(HasMetadata object) {
        return object instanceof Pod pod && PodClaims.of(pod, cluster.claims()).areBeingMade();
    }

    /** Until then, a scheduler may still try it, and the claims of a pod may still be created. */
    private Moment attendedUntil(HasMetadata object) {
        var created = Instant.parse(object.getMetadata().getCreationTimestamp());
        return creations
                .momentOf(object.getMetadata().getUid(), created)
                .plus(areClaimsBeingMade(object) ? PodClaims.CREATION_TIME : UNATTENDED_DELAY);
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
        // Uses the groups in the current slices, because kube-scheduler does not record earlier ones.
        var ofKubeScheduler = new AllocatorOptions(options.gate().get(), GroupPolicy.LIVE, List.of());
        slices.refresh(cluster, ofKubeScheduler);
        var held = cluster.claims().list().stream()
                .flatMap(claim -> DeviceStatuses.allocated(claim).stream())
                .toList();
        return new PendingReasons.State(
                slices.samples(),
                slices.index(),
                cluster.deviceClasses().list().stream()
                        .map(ClaimReader::read)
                        .collect(Collectors.toMap(DeviceClass::name, Function.identity())),
                new AllocatedDevices(held, GroupPolicy.LIVE),
                ofKubeScheduler,
                FakeGpuProblems.of(cluster.fakeGpus().list(), AllocatorName.KubeScheduler),
                options.pendingChanges(),
                DevicesOfOtherAllocators.than(AllocatorName.KubeScheduler, cluster),
                options.isGateKnown().getAsBoolean());
    }
}
