package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of the scheduling thread's time each namespace used. Whoever used least comes first: each namespace has a virtual time, which
 * moves on by the time that it uses; one that was idle begins at the virtual time of those that were not, so idle time cannot be saved up
 * and a newcomer has to wait for nobody. That is start-time fair queuing, as in the API server's priority and fairness. Thread-safe.
 */
public class NamespaceShares {

    /** The share is that of about this time. */
    static final Duration WINDOW = Duration.ofSeconds(10);

    /** A namespace with a larger share comes after all others, whatever the priority of its pods. */
    static final double MAX_SHARE = 0.5;

    /** Each decision counts as at least this, so that namespaces take turns also with decisions that take no time. */
    private static final double MIN_SECONDS = 0.001;

    /** A smaller share is forgotten. */
    private static final double NEGLIGIBLE = 0.001;

    private static final class Usage {
        private double virtualTime;
        private double recentSeconds;
        private Moment updated = Moment.NEVER;

        /** An exponentially weighted average: what was used a window ago counts 1/e. */
        double share(Moment now) {
            double elapsed = Math.max(0, seconds(updated.until(now)));
            return recentSeconds * Math.exp(-elapsed / seconds(WINDOW)) / seconds(WINDOW);
        }
    }

    private final Map<String, Usage> byNamespace = new HashMap<>();
    private double virtualTime;

    /** Whose turn it is does not depend on the namespace, as in kube-scheduler. */
    static NamespaceShares inOrderOfPriority() {
        return new NamespaceShares() {
            @Override
            public synchronized void charge(String namespace, Duration used, Moment now) {}
        };
    }

    /** Counts time that was used for a namespace. */
    public synchronized void charge(String namespace, Duration used, Moment now) {
        double charged = Math.max(MIN_SECONDS, seconds(used));
        Usage usage = byNamespace.computeIfAbsent(namespace, ignored -> new Usage());
        usage.recentSeconds = usage.share(now) * seconds(WINDOW) + charged;
        usage.updated = now;
        usage.virtualTime = Math.max(virtualTime, usage.virtualTime) + charged;
    }

    /** The smaller, the sooner it is the namespace's turn. */
    public synchronized double virtualTime(String namespace) {
        Usage usage = byNamespace.get(namespace);
        return usage == null ? virtualTime : Math.max(virtualTime, usage.virtualTime);
    }

    /** No namespace that waits is before this virtual time; namespaces that were idle begin here. */
    synchronized void advance(double newVirtualTime, Moment now) {
        if (newVirtualTime > virtualTime) {
            virtualTime = newVirtualTime;
            byNamespace.values().removeIf(usage -> usage.virtualTime <= virtualTime && usage.share(now) < NEGLIGIBLE);
        }
    }

    /** Whether the namespace used more than its share of the time. */
    public synchronized boolean isOverShare(String namespace, Moment now) {
        return share(namespace, now) > MAX_SHARE;
    }

    /** The recent share of the scheduling thread's time, from 0 to 1. */
    synchronized double share(String namespace, Moment now) {
        Usage usage = byNamespace.get(namespace);
        return usage == null ? 0 : Math.min(1, usage.share(now));
    }

    /** The namespaces with the largest shares, the largest first. */
    public synchronized Map<String, Double> largest(int count, Moment now) {
        var largest = new LinkedHashMap<String, Double>();
        byNamespace.keySet().stream()
                .sorted(Comparator.comparingDouble((String namespace) -> -share(namespace, now))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(count)
                .forEach(namespace -> largest.put(namespace, share(namespace, now)));
        return largest;
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9; // of any length
    }
}
