package dev.fakegpu.schedule;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.ClaimNaming;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.explain.PendingChanges;
import dev.fakegpu.util.ThreadCpuTime;
import dev.fakegpu.util.YieldPolicy;
import dev.fakegpu.watch.ClusterObjects;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.function.BooleanSupplier;

/** Builds a {@link Companion}. Everything that is not a constructor parameter has a default. */
public final class CompanionBuilder {

    private final KubernetesClient client;
    private final ClusterObjects cluster;
    private final EventRecorder events;
    private final CompanionSettings settings;
    private Selectors selectors = new Selectors();
    private BooleanSupplier mayWrite = () -> true;
    private DecisionListener listener = (result, gate, groupPolicy) -> {};
    private Clock clock = Clock.systemUTC();
    private PendingChanges pending = PendingChanges.NONE;
    private ClaimNaming naming = ClaimNaming.OwnNamespace;

    /** @param cluster must be started before the companion */
    public CompanionBuilder(
            KubernetesClient client, ClusterObjects cluster, EventRecorder events, CompanionSettings settings) {
        this.client = client;
        this.cluster = cluster;
        this.events = events;
        this.settings = settings;
    }

    /** Uses a shared cache of compiled selectors. */
    public CompanionBuilder selectors(Selectors shared) {
        selectors = shared;
        return this;
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

    /** @param other what explanations name; by default claims of the reader's own namespace */
    public CompanionBuilder naming(ClaimNaming other) {
        naming = other;
        return this;
    }

    /** @param other what FakeGpus publish once devices are released; by default nothing is known of that */
    public CompanionBuilder pendingChanges(PendingChanges other) {
        pending = other;
        return this;
    }

    public CompanionBuilder clock(Clock other) {
        clock = other;
        return this;
    }

    public Companion build() {
        return new Wiring().companion();
    }

    /** The objects of one companion, in order of dependency. */
    private final class Wiring {

        private final EventLoop eventLoop = new EventLoop("companion");
        private final Arrivals arrivals = new Arrivals(eventLoop);
        private final SchedulerCache cache = new SchedulerCache(cluster, settings, clock);
        private final CompanionScope scope = new CompanionScope(cluster);
        private final NodeSearch nodeSearch = new NodeSearch(
                () -> cache.allocationContext(selectors), ThreadCpuTime::nanos, System::nanoTime, pending);
        private final ClaimWriter claimWriter = new ClaimWriter(client, cluster.claims(), clock);
        private final PodWriter podWriter = new PodWriter(client, cluster.pods(), clock);
        private final Writers writers =
                new Writers(settings.initial().writers(), new YieldPolicy(this::isBusyWith, clock));
        private final StatusReporter statusReporter =
                new StatusReporter(scope, podWriter, claimWriter, events, writers, cache::options);
        private final ExplanationQueue explanations =
                new ExplanationQueue(new UnschedulableExplainer(cache, scope, nodeSearch, naming), statusReporter);
        private final SchedulingQueue queue =
                new SchedulingQueue(explanations::forget, new NamespaceShares(), arrivals);
        private final PendingPodIndex pendingPods = new PendingPodIndex(cache.assumeCache(), queue, scope);
        private final DecisionLog log = new DecisionLog(listener, cache::options, clock);
        private final SchedulingCycle schedulingCycle =
                new SchedulingCycle(cache, queue, nodeSearch, explanations, log, clock);
        private final ClaimReleaser claimReleaser =
                new ClaimReleaser(client, cluster, cache.slices(), claimWriter, writers, eventLoop);
        private final BindingCycle bindingCycle = new BindingCycle(claimWriter, podWriter, events, writers, mayWrite);
        private final InFlightDecisions inFlight = new InFlightDecisions(
                cache,
                queue,
                pendingPods,
                log,
                clock,
                (plan, decisions) -> bindingCycle.submit(plan, decisions.on(eventLoop)));
        private final BindingPlanner planner = new BindingPlanner(cache, clock);
        private final ClaimAllocation claims =
                new ClaimAllocation(scope, cache, queue, schedulingCycle, planner, inFlight);
        private final PreFilter preFilter =
                new PreFilter(cluster.claims(), cache, schedulingCycle, claimReleaser, statusReporter, clock);
        private final PodScheduling pods =
                new PodScheduling(pendingPods, preFilter, schedulingCycle, claimReleaser, planner, inFlight);
        private final DecisionLoop decisions =
                new DecisionLoop(cache, queue, inFlight, explanations, this::scheduleOne, clock);

        private void scheduleOne(QueueItem item) {
            switch (item.kind()) {
                case POD -> pods.decide(item);
                case CLAIM -> claims.decide(item);
            }
        }

        private boolean isBusyWith(String namespace) {
            return decisions.isBusyWith(namespace);
        }

        Companion companion() {
            return new Companion(
                    eventLoop,
                    decisions,
                    cache,
                    new LeaderRecovery(client, cluster, claimWriter),
                    new CompanionTriggers(cluster, arrivals, cache, pendingPods, claims, claimReleaser),
                    writers);
        }
    }
}
