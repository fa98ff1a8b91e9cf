package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.util.Moment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reports that wait to be written, at most one for each key: a new report replaces an older one with the same key. So there are only a few
 * for each pod and claim, no matter how often the reasons change. Thread-safe.
 */
final class ReportQueue {

    /**
     * A write that informs users.
     *
     * @param namespace the namespace of the object that the report is about
     * @param deadline the time until which it may be delayed
     */
    record Report(String namespace, Runnable write, Moment deadline) {}

    private final Map<String, Report> waiting = new LinkedHashMap<>();

    /** Adds a report; if it replaces another one, it keeps that one's deadline. */
    synchronized void put(String key, Report report) {
        Report older = waiting.get(key);
        waiting.put(key, older == null ? report : new Report(report.namespace(), report.write(), older.deadline()));
    }

    /** Removes the report that has waited longest among those that are ready, and returns its write. */
    synchronized Optional<Runnable> poll(Predicate<Report> isReady) {
        for (var each = waiting.values().iterator(); each.hasNext(); ) {
            Report report = each.next();
            if (isReady.test(report)) {
                each.remove();
                return Optional.of(report.write());
            }
        }
        return Optional.empty();
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }
}
