package dev.fakegpu.schedule;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reports that wait to be written, at most one for each key: a newer one takes the place of an older one. So there are at most a few for
 * each pod and claim, however often the reasons change. Thread-safe.
 */
final class ReportQueue {

    private record Report(Runnable write, Instant deadline) {}

    private final Map<String, Report> waiting = new LinkedHashMap<>();

    /** @param deadline until which it may be delayed; a report that takes the place of another keeps that one's deadline */
    synchronized void put(String key, Runnable write, Instant deadline) {
        Report older = waiting.get(key);
        waiting.put(key, new Report(write, older == null ? deadline : older.deadline()));
    }

    /** Takes out the report that waits longest. */
    synchronized Optional<Runnable> poll() {
        var first = waiting.entrySet().iterator();
        if (!first.hasNext()) {
            return Optional.empty();
        }
        Runnable write = first.next().getValue().write();
        first.remove();
        return Optional.of(write);
    }

    /** Of the report that waits longest. */
    synchronized Optional<Instant> nextDeadline() {
        return waiting.values().stream().findFirst().map(Report::deadline);
    }
}
