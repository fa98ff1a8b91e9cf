package dev.fakegpu.schedule;

import dev.fakegpu.api.FakeGpu;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The companion while it runs: one thread decides about one pending pod or claim after the other, and others write the decisions, as in
 * kube-scheduler's scheduling and binding cycles. {@link CompanionBuilder} puts it together.
 */
public final class Companion implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Companion.class);

    private final EventLoop eventLoop;
    private final DecisionLoop decisions;
    private final SchedulerCache cache;
    private final LeaderRecovery leaderRecovery;
    private final CompanionTriggers triggers;
    private final Writers writers;

    /** Generations of FakeGpus, by UID, whose devices the companion has relinquished. */
    private final Map<String, Long> relinquished = new ConcurrentHashMap<>();

    Companion(
            EventLoop eventLoop,
            DecisionLoop decisions,
            SchedulerCache cache,
            LeaderRecovery leaderRecovery,
            CompanionTriggers triggers,
            Writers writers) {
        this.eventLoop = eventLoop;
        this.decisions = decisions;
        this.cache = cache;
        this.leaderRecovery = leaderRecovery;
        this.triggers = triggers;
        this.writers = writers;
    }

    /** Starts to decide, once what an earlier leader may have left unfinished is settled. */
    public void start() {
        eventLoop.execute(leaderRecovery::run);
        triggers.register();
        eventLoop.execute(() -> LOG.infof("companion: %s", cache.options()));
        eventLoop.start(decisions);
    }

    /** Number of pending pods and claims by part of the queue: {@code active}, {@code backoff}, {@code unschedulable}. */
    public Map<String, Integer> pending() {
        return decisions.pending();
    }

    /** Whether there is something to decide now, or a decision is being written. */
    public boolean isBusy() {
        return decisions.isBusy();
    }

    /**
     * Whether the companion allocates no device of a FakeGpu any more and is writing no allocation of one, after its spec has named another
     * allocator. The deciding thread finds out; until then the answer is false.
     */
    public boolean hasRelinquished(FakeGpu fakeGpu) {
        String uid = fakeGpu.getMetadata().getUid();
        Long generation = fakeGpu.getMetadata().getGeneration();
        if (generation.equals(relinquished.get(uid))) {
            return true;
        }
        eventLoop.execute(() -> {
            if (cache.relinquish(fakeGpu)) {
                relinquished.put(uid, generation);
            }
        });
        return false;
    }

    @Override
    public void close() {
        eventLoop.close();
        writers.close();
    }
}
