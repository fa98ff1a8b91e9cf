package dev.fakegpu.schedule;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
    private final CompanionOptions options;
    private final Writers writers;
    private final Mailbox mailbox;
    private final SchedulerCache cache;
    private final Explanations explanations;
    private final SchedulingQueue queue;
    private final Decisions decisions;
    private final PodScheduling pods;
    private final ClaimAllocation claims;
    private final CompanionTriggers triggers;
    private long wokenAt;
    private Instant explainedAt = Instant.MIN;

    public Companion(
            KubernetesClient client,
            ClusterWatch cluster,
            Selectors selectors,
            EventRecorder events,
            CompanionOptions options,
            Clock clock) {
        this.clock = clock;
        this.options = options;
        writers = new Writers(options.writers());
        mailbox = new Mailbox("companion", new Scheduling());
        cache = new SchedulerCache(cluster, options.allocatorOptions());
        var placer = new Placer(cache, selectors);
        var waiters = new Waiters(cluster);
        var claimWriter = new ClaimWriter(client, cluster.claims(), clock);
        var podWriter = new PodWriter(client, cluster.pods());
        var reports = new Reports(cluster, cache, waiters, placer, podWriter, claimWriter, events, writers);
        explanations = new Explanations(reports);
        queue = new SchedulingQueue(explanations::forget);
        var attempts = new Attempts(cache, queue, placer, explanations, clock);
        var waitingPods = new WaitingPods(cluster, cache.ledger(), queue, waiters);
        var binding = new BindingCycle(claimWriter, podWriter, events, writers, this::ended);
        var releases = new Releases(client, cluster, cache.slices(), claimWriter, writers, mailbox::tell);
        decisions = new Decisions(cache, queue, waitingPods, clock, binding::submit);
        var blockers = new PodBlockers(cluster, cache, attempts, releases, reports, options.bindingTimeout());
        pods = new PodScheduling(cluster, cache, waiters, attempts, blockers, releases, decisions);
        claims = new ClaimAllocation(cluster, waiters, cache, queue, attempts, decisions);
        triggers = new CompanionTriggers(cluster, mailbox, cache, waitingPods, claims, releases);
    }

    public void start() {
        LOG.infof("companion: compatibility groups %s, group policy %s", options.gate(), options.groupPolicy());
        triggers.register();
        mailbox.start();
    }

    @Override
    public void close() {
        mailbox.close();
        writers.close();
    }

    private void ended(Assignment assignment, boolean isWritten) {
        mailbox.tell(() -> decisions.ended(assignment, isWritten));
    }

    private final class Scheduling implements Mailbox.Work {

        @Override
        public boolean step() {
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
            return queue.nextDue()
                    .map(due -> Duration.between(clock.instant(), due))
                    .filter(wait -> wait.compareTo(Duration.ofMinutes(1)) < 0)
                    .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
                    .orElse(Duration.ofMinutes(1));
        }
    }
}
