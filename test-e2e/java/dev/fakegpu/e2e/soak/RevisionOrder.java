package dev.fakegpu.e2e.soak;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Puts the changes that several watches report into the order in which they were stored. A change is passed on when every watch has come
 * so far, which those of quiet kinds tell by their bookmarks, about once a minute.
 */
final class RevisionOrder {

    private record Change(long revision, Runnable apply) {}

    private final Map<String, Long> seen;
    private final PriorityQueue<Change> pending = new PriorityQueue<>(Comparator.comparingLong(Change::revision));

    RevisionOrder(List<String> watches) {
        seen = new HashMap<>(watches.stream().collect(Collectors.toMap(watch -> watch, watch -> 0L)));
    }

    /** A watch has come so far. */
    synchronized void reached(String watch, long revision) {
        seen.merge(watch, revision, Math::max);
        passOn(seen.values().stream().mapToLong(Long::longValue).min().orElse(0));
    }

    /** A watch has reported a change. */
    synchronized void changed(String watch, long revision, Runnable apply) {
        pending.add(new Change(revision, apply));
        reached(watch, revision);
    }

    /** Nothing more comes. */
    synchronized void flush() {
        passOn(Long.MAX_VALUE);
    }

    private void passOn(long until) {
        while (!pending.isEmpty() && pending.peek().revision() <= until) {
            pending.remove().apply().run();
        }
    }
}
