package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.util.Moment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reports that wait to be written, at most one for each key: a newer one takes the place of an older one. So there are at most a few for
 * each pod and claim, however often the reasons change. Thread-safe.
 */
final class ReportQueue {

    /**
     * A write that informs users.
     *
     * @param namespace of the object that it is about
     * @param deadline until which it may be delayed
     */
    record Report(String namespace, Runnable write, Moment deadline) {}

    private final Map<String, Report> waiting = new LinkedHashMap<>();

    /** A report that takes the place of another one keeps that one's deadline. */
    synchronized void put(String key, Report report) {
        Report older = waiting.get(key);
        waiting.put(key, older == null ? report : new Report(report.namespace(), report.write(), older.deadline()));
    }

    /** Takes out the write of the report that waits longest of those that are ready. */
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
