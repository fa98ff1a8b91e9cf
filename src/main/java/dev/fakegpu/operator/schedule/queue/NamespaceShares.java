package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much time of the scheduling thread each namespace used. The namespace that used the least is next. Each namespace has a virtual time,
 * which advances by the time that it uses. A namespace that was idle starts at the virtual time of the active ones, so that it cannot save
 * up idle time, and a new namespace does not have to wait. This is start-time fair queuing, as in the API server's priority and fairness.
 * Thread-safe.
 */
public class NamespaceShares {

    /** The averaging window of the share. */
    static final Duration WINDOW = Duration.ofSeconds(10);

    /** A namespace with a larger share comes after all others, regardless of the priority of its pods. */
    static final double MAX_SHARE = 0.5;

    /** The minimum charge of a decision, so that namespaces also take turns with decisions that take almost no time. */
    private static final double MIN_SECONDS = 0.001;

    /** A smaller share is forgotten. */
    private static final double NEGLIGIBLE = 0.001;

    private static final class Usage {
        private double virtualTime;
        private double recentSeconds;
        private Moment updated = Moment.NEVER;

        /** An exponentially weighted average: time used one window ago counts 1/e. */
        double share(Moment now) {
            double elapsed = Math.max(0, seconds(updated.until(now)));
            return recentSeconds * Math.exp(-elapsed / seconds(WINDOW)) / seconds(WINDOW);
        }
    }

    private final Map<String, Usage> byNamespace = new HashMap<>();
    private double virtualTime;

    /** Ignores namespaces, as kube-scheduler does. */
    static NamespaceShares inOrderOfPriority() {
        return new NamespaceShares() {
            @Override
            public synchronized void charge(String namespace, Duration used, Moment now) {}
        };
    }

    /** Charges a namespace for time. */
    public synchronized void charge(String namespace, Duration used, Moment now) {
        double charged = Math.max(MIN_SECONDS, seconds(used));
        Usage usage = byNamespace.computeIfAbsent(namespace, ignored -> new Usage());
        usage.recentSeconds = usage.share(now) * seconds(WINDOW) + charged;
        usage.updated = now;
        usage.virtualTime = Math.max(virtualTime, usage.virtualTime) + charged;
    }

    /** The namespace with the smallest virtual time is next. */
    public synchronized double virtualTime(String namespace) {
        Usage usage = byNamespace.get(namespace);
        return usage == null ? virtualTime : Math.max(virtualTime, usage.virtualTime);
    }

    /** Advances the virtual time at which idle namespaces start; no waiting namespace is behind it. */
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
        return duration.getSeconds() + duration.getNano() / 1e9; // toNanos would overflow for long durations
    }
}
