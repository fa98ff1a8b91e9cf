package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.preemption.Demand;
import dev.fakegpu.cluster.preemption.OccupiedCluster;
import dev.fakegpu.cluster.preemption.Preemption;
import dev.fakegpu.cluster.preemption.PreemptionFinder;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.schedule.bind.PreemptionWriter;
import dev.fakegpu.operator.schedule.cache.Nominations.Nomination;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.PodRequirements;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Has pods of lower priority go for one that has found no place, if the settings say so. Named after kube-scheduler's extension point, whose plugin
 * {@code DefaultPreemption} does it there. Not thread-safe.
 *
 * <p>It is decided three times: to see whether that would help at all; with the PodDisruptionBudgets, which are read in between; and, once the
 * nominated node is written, right before the pods are told. Where the reason has gone away meanwhile, nobody is told anything. {@link
 * dev.fakegpu.operator.schedule.cache.Nominations} keep the place.
 */
final class PostFilter {

    /** Of the allocator's searches for one decision. */
    private static final long MAX_STEPS = 300_000;

    /** After the grace period of the pods, for what comes then: the release of their claims. */
    private static final Duration RELEASE = Duration.ofSeconds(30);

    private static final long DEFAULT_GRACE_SECONDS = 30;

    /** Grace periods can be longer than there will be time, and a place is kept for a day at most. */
    private static final long MAX_GRACE_SECONDS = Duration.ofDays(1).toSeconds();

    private final ObjectStores cluster;
    private final SchedulerCache cache;
    private final CompanionScope scope;
    private final PendingPodIndex pendingPods;
    private final SchedulingCycle cycle;
    private final PreemptionWriter writer;
    private final Executor schedulingThread;
    private final Selectors selectors;
    private final Ticker ticker;

    /** UIDs of pods for which budgets are being read, or others told. */
    private final Set<String> busy = new HashSet<>();

    /** UIDs of pods that were nominated by this process. */
    private final Set<String> nominatedHere = new HashSet<>();

    PostFilter(
            ObjectStores cluster,
            SchedulerCache cache,
            CompanionScope scope,
            PendingPodIndex pendingPods,
            SchedulingCycle cycle,
            PreemptionWriter writer,
            Executor schedulingThread,
            Selectors selectors,
            Ticker ticker) {
        this.cluster = cluster;
        this.cache = cache;
        this.scope = scope;
        this.pendingPods = pendingPods;
        this.cycle = cycle;
        this.writer = writer;
        this.schedulingThread = schedulingThread;
        this.selectors = selectors;
        this.ticker = ticker;
    }

    /** For a pod that was refused on all nodes. */
    void refused(QueueItem item, PodRequirements requirements) {
        Pod pod = requirements.pod();
        if (!mayPreempt(pod) || busy.contains(item.uid())) {
            return;
        }
        Optional<Nomination> nomination = cache.nominations().of(item.uid());
        if (nomination.isPresent()) {
            if (areGoing(nomination.get())) {
                return;
            }
            end(item.uid());
        }
        Optional<Preemption> found = find(requirements, List.of());
        if (isNominated(pod)) {
            renewOrWithdraw(pod, found);
        }
        if (found.filter(Preemption::isNeeded).isPresent()) {
            busy.add(item.uid());
            writer.readBudgets(
                    budgets -> schedulingThread.execute(() -> decide(item, budgets)),
                    () -> schedulingThread.execute(() -> failed(item)));
        }
    }

    private boolean mayPreempt(Pod pod) {
        return cache.options().preemption() == PreemptionSetting.ENABLED
                && cache.profile() == SchedulerProfile.COMPANION
                && !PodState.isBound(pod)
                && !"Never".equals(pod.getSpec().getPreemptionPolicy());
    }

    private static boolean isNominated(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getNominatedNodeName() != null
                && !pod.getStatus().getNominatedNodeName().isEmpty();
    }

    /** Whether pods that were told to go, or do so anyway, are still there, or their claims. */
    private boolean areGoing(Nomination nomination) {
        return cluster.pods().list().stream()
                        .anyMatch(pod ->
                                nomination.awaited().contains(pod.getMetadata().getUid()) && !PodState.hasEnded(pod))
                || cluster.claims().list().stream()
                        .filter(claim -> claim.getStatus() != null)
                        .flatMap(claim -> claim.getStatus().getReservedFor().stream())
                        .anyMatch(user -> nomination.awaited().contains(user.getUid()));
    }

    /** An earlier process may have told others to go for it. */
    private void renewOrWithdraw(Pod pod, Optional<Preemption> found) {
        String node = pod.getStatus().getNominatedNodeName();
        Optional<Preemption> renewed =
                found.filter(each -> !each.isNeeded() && each.node().equals(node));
        if (renewed.isPresent() && !nominatedHere.contains(pod.getMetadata().getUid())) {
            nominate(pod, renewed.get());
        } else {
            writer.withdraw(pod);
        }
    }

    private Optional<Preemption> find(PodRequirements requirements, List<PodDisruptionBudget> budgets) {
        var finder = new PreemptionFinder(
                new OccupiedCluster(pods(), cluster.claims(), cluster.podGroups(), budgets), cache.usage());
        Pod pod = requirements.pod();
        return finder.isAnyLower(pod)
                ? finder.find(
                        pod,
                        demand(requirements),
                        cache.nominations().beside(cache.allocationContext(selectors)),
                        cache.allNodes().toList(),
                        SearchLimit.steps(MAX_STEPS))
                : Optional.empty();
    }

    /** By name, so that the same ones go in the same cluster. */
    private List<Pod> pods() {
        return cluster.pods().list().stream()
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getNamespace())
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    private Demand demand(PodRequirements requirements) {
        return new Demand() {
            @Override
            public boolean fits(SchedulableNode node) {
                return requirements.fits(node);
            }

            @Override
            public List<Claim> claims(SchedulableNode node) {
                return requirements.claims(node);
            }

            @Override
            public boolean fitsWith(SchedulableNode node, List<Allocation> found) {
                return requirements.admission(node, found) != NodeSearch.Admission.REFUSED;
            }
        };
    }

    /** Again with the budgets, and once more when the node is written, right before the pods are told. */
    private void decide(QueueItem item, List<PodDisruptionBudget> budgets) {
        try {
            decideOrEnd(item, budgets);
        } catch (RuntimeException | StackOverflowError e) {
            failed(item); // or it would never preempt again
            throw e;
        }
    }

    private void decideOrEnd(QueueItem item, List<PodDisruptionBudget> budgets) {
        Optional<Pod> pod =
                scope.pendingPod(item).filter(each -> mayPreempt(each) && !pendingPods.isBeingWritten(item.uid()));
        Optional<Preemption> found = pod.flatMap(each -> again(item, each, budgets));
        if (found.isEmpty()) {
            busy.remove(item.uid());
            if (cache.nominations().of(item.uid()).isPresent()) {
                end(item.uid());
                pod.ifPresent(writer::withdraw);
            }
            return;
        }
        Optional<Nomination> nomination = cache.nominations().of(item.uid());
        nominate(pod.get(), found.get());
        if (nomination.filter(each -> isFor(each, found.get())).isPresent()) {
            writer.tell(
                    pod.get(),
                    found.get(),
                    () -> schedulingThread.execute(() -> told(item)),
                    () -> schedulingThread.execute(() -> failed(item)));
        } else {
            writer.nominate(
                    pod.get(),
                    found.get().node(),
                    () -> schedulingThread.execute(() -> decide(item, budgets)),
                    () -> schedulingThread.execute(() -> failed(item)));
        }
    }

    /** Meanwhile the pods may have gone, and it was refused again; then nothing else might wake it before its turn is over. */
    private void told(QueueItem item) {
        busy.remove(item.uid());
        boolean isOver = cache.nominations()
                .of(item.uid())
                .filter(nomination -> !areGoing(nomination))
                .isPresent();
        if (isOver && !pendingPods.isBeingWritten(item.uid())) {
            cycle.retryAt(item, ticker.now());
        }
    }

    private Optional<Preemption> again(QueueItem item, Pod pod, List<PodDisruptionBudget> budgets) {
        cache.refresh();
        cache.nominations().decideAbout(item.uid(), item.priority());
        return find(new PodRequirements(pod, scope.claims(pod), cache), budgets).filter(Preemption::isNeeded);
    }

    private static boolean isFor(Nomination nomination, Preemption found) {
        return nomination.node().equals(found.node()) && nomination.awaited().containsAll(uids(found.victims()));
    }

    private static Set<String> uids(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private void nominate(Pod pod, Preemption found) {
        List<Pod> going =
                Stream.concat(found.victims().stream(), found.ending().stream()).toList();
        nominatedHere.add(pod.getMetadata().getUid());
        Map<ClaimRef, List<AllocatedDevice>> devices = new HashMap<>();
        found.allocations()
                .forEach((claim, allocation) -> devices.put(
                        claim,
                        allocation.results().stream()
                                .filter(result -> !result.adminAccess())
                                .map(result -> new AllocatedDevice(result.device(), claim, null, result.share()))
                                .toList()));
        cache.nominations()
                .add(new Nomination(
                        pod,
                        found.node(),
                        devices,
                        uids(going),
                        ticker.now().plus(RELEASE).plus(Duration.ofSeconds(graceSeconds(going)))));
    }

    private static long graceSeconds(List<Pod> going) {
        long longest = going.stream()
                .mapToLong(victim -> Objects.requireNonNullElse(
                        victim.getSpec().getTerminationGracePeriodSeconds(), DEFAULT_GRACE_SECONDS))
                .max()
                .orElse(DEFAULT_GRACE_SECONDS);
        return Math.min(longest, MAX_GRACE_SECONDS);
    }

    /** What was written so far stays; who is told again is so with back-off. */
    private void failed(QueueItem item) {
        busy.remove(item.uid());
        end(item.uid());
        if (!pendingPods.isBeingWritten(item.uid())) {
            cycle.backOff(item);
        }
    }

    /** @param version any version: what the store has now counts */
    void podChanged(Pod version) {
        String uid = version.getMetadata().getUid();
        boolean waits = scope.pendingPod(QueueItem.of(version))
                .filter(pod -> !PodState.isBound(pod))
                .isPresent();
        if (!waits) {
            nominatedHere.remove(uid);
            end(uid);
        }
    }

    private void end(String uid) {
        if (cache.nominations().remove(uid)) {
            cache.generations().changedEverywhere();
        }
    }
}
