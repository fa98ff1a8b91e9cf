package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.operator.schedule.queue.EquivalenceClass;
import dev.fakegpu.operator.schedule.queue.ExponentialBackoff;
import dev.fakegpu.operator.schedule.queue.NamespaceShares;
import dev.fakegpu.util.Moment;
import java.time.Duration;

/**
 * How much processor time an attempt to place a pod or claim may use, and when the next attempt begins if that was not enough. The
 * scheduling thread can do nothing else during an attempt, so attempts are short at first, and stay short for a namespace that uses more
 * than its share or while another namespace waits.
 */
public final class AttemptLimits {

    /** Many times longer than nearly all attempts take. */
    static final Duration FIRST = Duration.ofSeconds(1);

    /**
     * The limit for all nodes together. Upstream: the default {@code filterTimeout} of kube-scheduler's plugin {@code DynamicResources}.
     */
    static final Duration MAX = Duration.ofSeconds(10);

    /** The limit for a namespace that used more than its share, while another one waits. */
    static final Duration OVER_SHARE = Duration.ofMillis(250);

    /** The limit for all pods of a gang on all nodes. */
    static final Duration GANG = Duration.ofSeconds(5);

    /** The limit for one explanation. */
    static final Duration EXPLANATION = Duration.ofMillis(500);

    private static final ExponentialBackoff LIMIT = new ExponentialBackoff(FIRST, MAX);
    private static final ExponentialBackoff RETRY =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

    private final NamespaceShares shares;

    public AttemptLimits(NamespaceShares shares) {
        this.shares = shares;
    }

    /** Doubles the limit with each interrupted attempt, so that hard problems are solved eventually. */
    public Duration ofAttempt(String namespace, EquivalenceClass equivalenceClass, Moment now) {
        return shares.isOverShare(namespace, now) ? FIRST : LIMIT.after(interruptions(equivalenceClass) + 1);
    }

    /** The time after which an attempt ends if another namespace waits. */
    public Duration whileOthersWait(String namespace, Moment now) {
        return shares.isOverShare(namespace, now) ? OVER_SHARE : FIRST;
    }

    /** The interruption of an attempt at a node. */
    public EquivalenceClass.Interruption interruption(EquivalenceClass equivalenceClass, String node, Moment now) {
        int inARow = interruptions(equivalenceClass) + 1;
        return new EquivalenceClass.Interruption(inARow, node, now.plus(RETRY.after(inARow)));
    }

    private static int interruptions(EquivalenceClass equivalenceClass) {
        var last = equivalenceClass.interruption();
        return last == null ? 0 : last.inARow();
    }
}
