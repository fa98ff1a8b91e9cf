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
 * Preempts pods of lower priority for a pod that does not fit anywhere, if the settings allow it. Named after the extension point of
 * kube-scheduler where its plugin {@code DefaultPreemption} does the same. Not thread-safe.
 *
 * <p>Preemption is decided three times: first without PodDisruptionBudgets, to see whether it would help at all; then with the budgets,
 * which are read in between; and again after the nominated node is written, right before the victims are deleted. If the reason for it has
 * gone away in the meantime, no pod is deleted. {@link dev.fakegpu.operator.schedule.cache.Nominations} reserve the place.
 */
final class PostFilter {

    /** The allocator's search steps for one decision. */
    private static final long MAX_STEPS = 300_000;

    /** Added to the grace period of the pods, to leave time for the release of their claims. */
    private static final Duration RELEASE = Duration.ofSeconds(30);

    private static final long DEFAULT_GRACE_SECONDS = 30;

    /** Grace periods can be so long that adding them overflows; a place is reserved for a day at most. */
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

    /** UIDs of pods for which budgets are being read, or victims deleted. */
    private final Set<String> busy = new HashSet<>();

    /** UIDs of pods that this process nominated. */
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

    /** Handles a pod that was refused on all nodes. */
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

    /** Whether victims, or other pods that are terminating anyway, still exist or still hold their claims. */
    private boolean areGoing(Nomination nomination) {
        return cluster.pods().list().stream()
                        .anyMatch(pod ->
                                nomination.awaited().contains(pod.getMetadata().getUid()) && !PodState.hasEnded(pod))
                || cluster.claims().list().stream()
                        .filter(claim -> claim.getStatus() != null)
                        .flatMap(claim -> claim.getStatus().getReservedFor().stream())
                        .anyMatch(user -> nomination.awaited().contains(user.getUid()));
    }

    /** Handles a pod for which an earlier process may have preempted others. */
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

    /** Sorts by name, so that the same cluster leads to the same victims. */
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

    /** Decides with the budgets, and once more after the node is written, right before the victims are deleted. */
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

    /** Meanwhile the victims may have gone, or its turn may have ended, and it was refused again. Then nothing else might wake it. */
    private void told(QueueItem item) {
        busy.remove(item.uid());
        boolean isOver =
                cache.nominations().of(item.uid()).filter(this::areGoing).isEmpty();
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
        found.allocations().forEach((claim, allocation) -> devices.put(claim, allocation.heldBy(claim)));
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

    /** Keeps what was written so far; another try waits for the back-off. */
    private void failed(QueueItem item) {
        busy.remove(item.uid());
        end(item.uid());
        if (!pendingPods.isBeingWritten(item.uid())) {
            cycle.backOff(item);
        }
    }

    /** @param version may be outdated: the version in the store counts */
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
