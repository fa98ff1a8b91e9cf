package dev.fakegpu.e2e.soak;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/**
 * Sorts the changes that several watches report by the order in which they were stored. A change is passed on when every watch has reached
 * its revision; watches of kinds without changes report their revision in bookmarks, about once a minute.
 */
final class RevisionOrder {

    private record Change(long revision, Runnable apply) {}

    private final Map<String, Long> seen;
    private final PriorityQueue<Change> pending = new PriorityQueue<>(Comparator.comparingLong(Change::revision));

    RevisionOrder(List<String> watches) {
        seen = new HashMap<>(watches.stream().collect(Collectors.toMap(watch -> watch, watch -> 0L)));
    }

    /** Records that a watch has reached a revision. */
    synchronized void reached(String watch, long revision) {
        seen.merge(watch, revision, Math::max);
        passOn(seen.values().stream().mapToLong(Long::longValue).min().orElse(0));
    }

    /** Records a change that a watch has reported. */
    synchronized void changed(String watch, long revision, Runnable apply) {
        pending.add(new Change(revision, apply));
        reached(watch, revision);
    }

    /** Passes on the rest, because no more changes will come. */
    synchronized void flush() {
        passOn(Long.MAX_VALUE);
    }

    private void passOn(long until) {
        while (!pending.isEmpty() && pending.peek().revision() <= until) {
            pending.remove().apply().run();
        }
    }
}
