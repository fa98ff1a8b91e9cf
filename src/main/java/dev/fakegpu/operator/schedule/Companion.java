package dev.fakegpu.operator.schedule;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.operator.schedule.bind.Writers;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The running companion. One thread schedules pending pods and claims one by one, and others write the decisions, as in kube-scheduler's
 * scheduling and binding cycles. {@link CompanionBuilder} builds it.
 */
public final class Companion implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(Companion.class);

    private final EventLoop eventLoop;
    private final DecisionLoop decisions;
    private final SchedulerCache cache;
    private final Runnable leaderRecovery;
    private final CompanionTriggers triggers;
    private final Writers writers;

    /** For each FakeGpu, by UID, the generation at which the companion relinquished its devices. */
    private final Map<String, Long> relinquished = new ConcurrentHashMap<>();

    /** The UIDs of FakeGpus that the scheduling thread was asked to relinquish and has not handled yet. */
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    Companion(
            EventLoop eventLoop,
            DecisionLoop decisions,
            SchedulerCache cache,
            Runnable leaderRecovery,
            CompanionTriggers triggers,
            Writers writers) {
        this.eventLoop = eventLoop;
        this.decisions = decisions;
        this.cache = cache;
        this.leaderRecovery = leaderRecovery;
        this.triggers = triggers;
        this.writers = writers;
    }

    /** Starts scheduling once in-flight writes of an earlier leader can no longer take effect. */
    public void start() {
        eventLoop.execute(leaderRecovery::run);
        triggers.register(this::forget);
        eventLoop.execute(() -> LOG.infof("companion: %s", cache.options()));
        eventLoop.start(decisions);
    }

    /** Number of pending pods and claims by part of the queue: {@code active}, {@code backoff}, {@code unschedulable}. */
    public Map<String, Integer> pending() {
        return decisions.pending();
    }

    /** The number of pending pods and claims by the code of the last reported reason, one of {@link #reasonCodes}. */
    public Map<String, Integer> pendingByReason() {
        return decisions.pendingByReason();
    }

    /** The codes of all reasons why pods and claims can be pending. */
    public static List<String> reasonCodes() {
        return PendingReason.CODES;
    }

    /**
     * The namespaces that recently used the most time of the scheduling thread.
     *
     * @return their shares from 0 to 1, the largest first
     */
    public Map<String, Double> largestShares(int count) {
        return decisions.largestShares(count);
    }

    /** Whether a pod or claim of the namespace is ready to be scheduled. */
    public boolean isBusyWith(String namespace) {
        return decisions.isBusyWith(namespace);
    }

    /**
     * A number that changes with each step of the scheduling thread; null while it waits for something to do. If the number stays the same
     * for a long time, the thread hangs.
     */
    public @Nullable Long currentStep() {
        return eventLoop.currentStep();
    }

    /** How many changes of the cluster the scheduling thread has not handled yet. */
    public int pendingEvents() {
        return eventLoop.pendingEvents();
    }

    /** How many steps the scheduling thread has made since the start. */
    public long stepsDone() {
        return eventLoop.stepsDone();
    }

    /**
     * Whether the companion has stopped allocating devices of a FakeGpu whose spec names another allocator, and no allocation of one is
     * being written. False until the scheduling thread has seen the change.
     */
    public boolean hasRelinquished(FakeGpu fakeGpu) {
        String uid = fakeGpu.getMetadata().getUid();
        Long generation = fakeGpu.getMetadata().getGeneration();
        if (generation.equals(relinquished.get(uid))) {
            return true;
        }
        if (asked.add(uid)) {
            eventLoop.execute(() -> {
                asked.remove(uid);
                if (cache.relinquish(fakeGpu)) {
                    relinquished.put(uid, generation);
                }
            });
        }
        return false;
    }

    private void forget(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (before != null && after == null) {
            eventLoop.execute(() -> relinquished.remove(before.getMetadata().getUid()));
        }
    }

    @Override
    public void close() {
        eventLoop.close();
        writers.close();
    }
}
