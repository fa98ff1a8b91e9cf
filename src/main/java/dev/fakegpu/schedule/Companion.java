package dev.fakegpu.schedule;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.util.YieldPolicy;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The companion: one thread decides about one waiting pod or claim after the other, and others write the decisions, as
 * kube-scheduler's scheduling and binding cycles do.
 */
public final class Companion implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Companion.class);

    /** While there is always something to decide, those who wait are still told why, but not more often. */
    private static final Duration BETWEEN_EXPLANATIONS = Duration.ofMillis(200);

    private final Clock clock;
    private final ClusterWatch cluster;
    private final CompanionSettings settings;
    private final LeaderRecovery takeover;
    private final DecisionListener listener;
    private volatile CompanionOptions options;
    private final Writers writers;
    private final EventLoop mailbox;
    private final SchedulerCache cache;
    private final ExplanationQueue explanations;
    private final SchedulingQueue queue;
    private final InFlightDecisions decisions;
    private final PodScheduling pods;
    private final ClaimAllocation claims;
    private final CompanionTriggers triggers;
    private final Map<String, Long> letGo = new ConcurrentHashMap<>();
    private volatile Map<String, Integer> pending = Map.of();
    private volatile boolean busy;
    private long wokenAt;
    private Instant explainedAt = Instant.MIN;

    /** @param mayWrite whether nobody else is the leader yet */
    public Companion(
            KubernetesClient client,
            ClusterWatch cluster,
            Selectors selectors,
            EventRecorder events,
            CompanionSettings settings,
            BooleanSupplier mayWrite,
            DecisionListener listener,
            Clock clock) {
        this.clock = clock;
        this.cluster = cluster;
        this.listener = listener;
        this.settings = settings;
        CompanionOptions initialOptions = settings.initial();
        options = initialOptions;
        writers = new Writers(initialOptions.writers(), new YieldPolicy(this::isBusy, clock));
        mailbox = new EventLoop("companion", new Scheduling());
        cache = new SchedulerCache(cluster, initialOptions.allocatorOptions(), clock);
        var placer = new NodeSearch(cache, selectors);
        var waiters = new Responsibility(cluster);
        var claimWriter = new ClaimWriter(client, cluster.claims(), clock);
        var podWriter = new PodWriter(client, cluster.pods());
        var reports =
                new StatusReporter(cache, waiters, placer, podWriter, claimWriter, events, writers, () -> this.options);
        explanations = new ExplanationQueue(reports);
        queue = new SchedulingQueue(explanations::forget);
        var attempts = new SchedulingCycle(cache, queue, placer, explanations, this::refused, clock);
        var waitingPods = new PendingPodIndex(cache.ledger(), queue, waiters);
        var binding = new BindingCycle(claimWriter, podWriter, events, writers, mayWrite, this::ended);
        var releases = new ClaimReleaser(client, cluster, cache.slices(), claimWriter, writers, mailbox::tell);
        decisions = new InFlightDecisions(cache, queue, waitingPods, clock, () -> this.options, binding::submit);
        var blockers = new PreFilter(cluster, cache, attempts, releases, reports, initialOptions.bindingTimeout());
        pods = new PodScheduling(cache, waiters, waitingPods, attempts, blockers, releases, decisions);
        claims = new ClaimAllocation(cluster, waiters, cache, queue, attempts, decisions);
        takeover = new LeaderRecovery(client, cluster, claimWriter);
        triggers = new CompanionTriggers(cluster, mailbox, cache, waitingPods, claims, releases);
    }

    /** Decides from now on: first what somebody before us may have left unfinished. */
    public void start() {
        cluster.settings().addListener((before, after) -> mailbox.tell(this::settingsChanged));
        mailbox.tell(takeover::run);
        mailbox.tell(this::settingsChanged);
        mailbox.tell(() -> LOG.infof("companion: %s", options));
        triggers.register();
        mailbox.start();
    }

    /** How many wait, by part of the queue. */
    public Map<String, Integer> pending() {
        return pending;
    }

    /** Whether somebody waits for a decision that can be made now, or for its writes. */
    public boolean isBusy() {
        return busy;
    }

    /**
     * Whether no device of a FakeGpu is given away any more and no such decision is under way, once its spec says that another
     * scheduler does it. The deciding thread finds out; until then the answer is no.
     */
    public boolean hasLetGo(FakeGpu fakeGpu) {
        String uid = fakeGpu.getMetadata().getUid();
        Long generation = fakeGpu.getMetadata().getGeneration();
        if (generation.equals(letGo.get(uid))) {
            return true;
        }
        mailbox.tell(() -> {
            if (cache.letGo(fakeGpu)) {
                letGo.put(uid, generation);
            }
        });
        return false;
    }

    private void settingsChanged() {
        CompanionOptions wanted = settings.now();
        if (!wanted.equals(options)) {
            options = wanted;
            LOG.infof("companion: %s from now on", wanted);
            cache.use(wanted.allocatorOptions());
        }
    }

    @Override
    public void close() {
        mailbox.close();
        writers.close();
    }

    private void ended(BindingPlan assignment, boolean isWritten) {
        mailbox.tell(() -> {
            decisions.ended(assignment, isWritten);
            if (isWritten) {
                DecisionLog.written(assignment, Duration.between(assignment.begun(), clock.instant()));
                count(DecisionListener.Result.SCHEDULED, assignment.options());
            } else {
                DecisionLog.failed(assignment.item(), assignment.options());
                count(DecisionListener.Result.ERROR, assignment.options());
            }
        });
    }

    private void refused(QueueItem item, Duration taken) {
        DecisionLog.refused(item, options, taken);
        count(DecisionListener.Result.UNSCHEDULABLE, options);
    }

    private void count(DecisionListener.Result result, CompanionOptions rules) {
        listener.decided(result, rules.gate(), rules.groupPolicy());
    }

    private final class Scheduling implements EventLoop.Work {

        @Override
        public boolean step() {
            boolean hasMore = decideNext();
            busy = decisions.areUnderWay() || queue.activeCount() > 0;
            return hasMore;
        }

        private boolean decideNext() {
            cache.nextDue().filter(due -> !due.isAfter(clock.instant())).ifPresent(due -> cache.slicesChanged());
            cache.refresh();
            if (wokenAt != cache.changes().now()) {
                wokenAt = cache.changes().now();
                queue.wake(cache.changes());
            }
            if (!decisions.hasRoom()) {
                return false;
            }
            var next = queue.poll(clock.instant());
            next.ifPresent(this::decide);
            pending = Map.of(
                    "active", queue.activeCount(),
                    "backoff", queue.backoffCount(),
                    "unschedulable", queue.unschedulableCount());
            if (next.isEmpty() || explainedAt.plus(BETWEEN_EXPLANATIONS).isBefore(clock.instant())) {
                explainedAt = clock.instant();
                return explanations.explainNext() || next.isPresent();
            }
            return true;
        }

        private void decide(QueueItem item) {
            try {
                switch (item.kind()) {
                    case POD -> pods.decide(item);
                    case CLAIM -> claims.decide(item);
                }
            } catch (RuntimeException e) {
                LOG.errorf(e, "nothing is decided about %s %s/%s", item.kind(), item.namespace(), item.name());
                queue.backOff(item.uid(), clock.instant());
            }
        }

        @Override
        public Duration patience() {
            return Stream.concat(queue.nextDue().stream(), cache.nextDue().stream())
                    .min(Comparator.naturalOrder())
                    .map(due -> Duration.between(clock.instant(), due))
                    .filter(wait -> wait.compareTo(Duration.ofMinutes(1)) < 0)
                    .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
                    .orElse(Duration.ofMinutes(1));
        }
    }
}
