package dev.fakegpu.operator.schedule;

import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.schedule.bind.BindingCycle;
import dev.fakegpu.operator.schedule.bind.BindingPlanner;
import dev.fakegpu.operator.schedule.bind.ClaimReleaser;
import dev.fakegpu.operator.schedule.bind.ClaimWriter;
import dev.fakegpu.operator.schedule.bind.LeaderRecovery;
import dev.fakegpu.operator.schedule.bind.PodWriter;
import dev.fakegpu.operator.schedule.bind.PreemptionWriter;
import dev.fakegpu.operator.schedule.bind.Writers;
import dev.fakegpu.operator.schedule.cache.AllocatorHandover;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.Arrivals;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.NamespaceShares;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.report.DecisionListener;
import dev.fakegpu.operator.schedule.report.DecisionLog;
import dev.fakegpu.operator.schedule.report.ExplanationQueue;
import dev.fakegpu.operator.schedule.report.StatusReporter;
import dev.fakegpu.operator.schedule.report.UnschedulableExplainer;
import dev.fakegpu.operator.schedule.search.NodePreference;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.SearchTime;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.operator.schedule.settings.TieBreak;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/** Builds a {@link Companion}. Everything that is not a constructor parameter has a default. */
public final class CompanionBuilder {

    private final ObjectClient client;
    private final Function<ClaimWriter, Runnable> leaderRecovery;
    private final ObjectStores cluster;
    private final EventRecorder events;
    private final CompanionSettings settings;
    private BooleanSupplier mayWrite = () -> true;
    private DecisionListener listener = (result, gate, groupPolicy) -> {};
    private Clock clock = Clock.systemUTC();
    private Ticker ticker = Ticker.SYSTEM;
    private PendingChanges pending = PendingChanges.NONE;
    private ClaimNaming naming = ClaimNaming.OwnNamespace;
    private TaskExecutors executors = TaskExecutors.THREADS;
    private SearchTime searchTime = SearchTime.OF_THREAD;
    private Predicate<ResourceSlice> ofOthers = slice -> false;
    private TieBreak ties = TieBreak.FIRST;
    private boolean releasesAll;

    /** @param cluster must be started before the companion */
    public CompanionBuilder(
            KubernetesClient client, ObjectStores cluster, EventRecorder events, CompanionSettings settings) {
        this(
                ObjectClient.of(client),
                writer -> new LeaderRecovery(client, cluster, writer)::run,
                cluster,
                events,
                settings);
    }

    /** Builds the companion of a cluster in memory, which has no earlier leader. */
    public CompanionBuilder(
            ObjectClient client, ObjectStores cluster, EventRecorder events, CompanionSettings settings) {
        this(client, writer -> () -> {}, cluster, events, settings);
    }

    private CompanionBuilder(
            ObjectClient client,
            Function<ClaimWriter, Runnable> leaderRecovery,
            ObjectStores cluster,
            EventRecorder events,
            CompanionSettings settings) {
        this.client = client;
        this.leaderRecovery = leaderRecovery;
        this.cluster = cluster;
        this.events = events;
        this.settings = settings;
    }

    /** @param check whether this process is certainly still the leader; by default always true */
    public CompanionBuilder mayWrite(BooleanSupplier check) {
        mayWrite = check;
        return this;
    }

    public CompanionBuilder listener(DecisionListener decisionListener) {
        listener = decisionListener;
        return this;
    }

    /** @param other how explanations name claims; by default they name only those in the reader's own namespace */
    public CompanionBuilder naming(ClaimNaming other) {
        naming = other;
        return this;
    }

    /** @param other what FakeGpus publish once devices are released; by default unknown */
    public CompanionBuilder pendingChanges(PendingChanges other) {
        pending = other;
        return this;
    }

    public CompanionBuilder time(Clock otherClock, Ticker otherTicker) {
        clock = otherClock;
        ticker = otherTicker;
        return this;
    }

    /** @param other what runs the writes of decisions; by default threads */
    public CompanionBuilder executors(TaskExecutors other) {
        executors = other;
        return this;
    }

    /** @param other the time that search limits count; by default processor time */
    public CompanionBuilder searchTime(SearchTime other) {
        searchTime = other;
        return this;
    }

    /**
     * @param other slices that the companion may allocate from, besides those of FakeGpus with {@code allocator: Companion}; by default
     *     none
     */
    public CompanionBuilder slicesOfOthers(Predicate<ResourceSlice> other) {
        ofOthers = other;
        return this;
    }

    /** @param other chooses among nodes with equal scores; by default the first one */
    public CompanionBuilder ties(TieBreak other) {
        ties = other;
        return this;
    }

    /**
     * Makes the companion release all devices that are no longer used, as kube-controller-manager does. By default, it releases only
     * devices that it can allocate.
     */
    public CompanionBuilder releasesAll() {
        releasesAll = true;
        return this;
    }

    /** Builds a companion without threads. */
    public SteppedCompanion buildStepped() {
        return new Wiring().steppedCompanion();
    }

    public Companion build() {
        return new Wiring().companion();
    }

    /** The objects of one companion, in dependency order. */
    private final class Wiring {

        private final EventLoop eventLoop = new EventLoop("companion");
        private final Arrivals arrivals = new Arrivals(eventLoop);
        private final SchedulerCache cache =
                new SchedulerCache(cluster, settings, new AllocatorHandover(cluster, ticker, ofOthers));
        private final CompanionScope scope = new CompanionScope(cluster, settings.profile());
        private final NodeSearch nodeSearch = new NodeSearch(
                () -> cache.nominations().beside(cache.allocationContext(Selectors.shared())),
                searchTime,
                pending,
                DevicesOfOtherAllocators.than(settings.profile().allocator(), cluster));
        private final ClaimWriter claimWriter = new ClaimWriter(client, cluster.claims(), clock);
        private final PodWriter podWriter = new PodWriter(client, cluster.pods(), clock);
        private final Writers writers =
                new Writers(InFlightDecisions.MAX_IN_FLIGHT, new YieldPolicy(this::isBusyWith, ticker), executors);
        private final DecisionLog log = new DecisionLog(listener, cache::options, clock, ticker);
        private final StatusReporter statusReporter =
                new StatusReporter(scope, podWriter, claimWriter, events, writers, log);
        private final UnschedulableExplainer explainer = new UnschedulableExplainer(cache, scope, nodeSearch, naming);
        private final ExplanationQueue explanations = new ExplanationQueue(explainer, statusReporter, log);
        private final SchedulingQueue queue = settings.profile().sharesTime()
                ? new SchedulingQueue(explanations::forget, new NamespaceShares(), arrivals)
                : SchedulingQueue.ofKubeScheduler(explanations::forget, arrivals, ticker);
        private final PendingPodIndex pendingPods = new PendingPodIndex(cache.assumeCache(), queue, scope);
        private final SchedulingCycle schedulingCycle =
                new SchedulingCycle(cache, queue, nodeSearch, explanations, log, ticker);
        private final ClaimReleaser claimReleaser = new ClaimReleaser(
                client,
                cluster,
                pool -> releasesAll || cache.slices().isManaged(pool),
                claimWriter,
                writers,
                eventLoop,
                pendingPods::retry);
        private final BindingCycle bindingCycle = new BindingCycle(claimWriter, podWriter, events, writers, mayWrite);
        private final InFlightDecisions inFlight = new InFlightDecisions(
                cache,
                queue,
                pendingPods,
                log,
                ticker,
                explanations::report,
                settings.initial().writers(),
                (plan, decisions) -> bindingCycle.submit(plan, decisions.on(eventLoop)));
        private final BindingPlanner planner = new BindingPlanner(cache, ticker);
        private final ClaimAllocation claims =
                new ClaimAllocation(scope, cluster, cache, queue, schedulingCycle, planner, inFlight);
        private final PreFilter preFilter =
                new PreFilter(cluster.claims(), cache, schedulingCycle, claimReleaser, statusReporter, clock, ticker);
        private final GangScheduling gangs = new GangScheduling(
                cache,
                new GangMembers(cluster, pendingPods, queue, preFilter),
                schedulingCycle,
                nodeSearch,
                claimReleaser,
                planner,
                inFlight,
                explainer);
        private final PostFilter postFilter = new PostFilter(
                cluster,
                cache,
                scope,
                pendingPods,
                schedulingCycle,
                new PreemptionWriter(client, podWriter, events, naming, writers, mayWrite),
                eventLoop,
                Selectors.shared(),
                ticker);
        private final PodScheduling pods = new PodScheduling(
                pendingPods,
                gangs,
                preFilter,
                schedulingCycle,
                claimReleaser,
                planner,
                inFlight,
                new NodePreference(cache, ties),
                postFilter);
        private final DecisionLoop decisions =
                new DecisionLoop(cache, queue, pendingPods, inFlight, explanations, this::scheduleOne, ticker);

        private void scheduleOne(QueueItem item) {
            cache.nominations().decideAbout(item.uid(), item.priority());
            switch (item.kind()) {
                case POD -> pods.decide(item);
                case CLAIM -> claims.decide(item);
            }
        }

        private boolean isBusyWith(String namespace) {
            return decisions.isBusyWith(namespace);
        }

        private CompanionTriggers triggers() {
            var endingHolders = new EndingHolders(
                    cluster.pods(), writers, arrivals, () -> explanations.holdersChanged(queue.equivalenceClasses()));
            return new CompanionTriggers(
                    cluster, arrivals, cache, pendingPods, claims, claimReleaser, endingHolders, postFilter);
        }

        SteppedCompanion steppedCompanion() {
            triggers().register((before, after) -> {});
            return new SteppedCompanion(eventLoop, decisions, cache, statusReporter);
        }

        Companion companion() {
            return new Companion(eventLoop, decisions, cache, leaderRecovery.apply(claimWriter), triggers(), writers);
        }
    }
}
