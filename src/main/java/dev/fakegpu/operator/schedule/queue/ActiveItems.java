package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.util.Moment;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The active part of the queue. The next item is one of the highest priority. Among items of the same priority, namespaces take turns by
 * {@link NamespaceShares}; within a namespace, the oldest comes first, unless another order is set. Namespaces that used too much time come
 * last, regardless of priority. Not thread-safe.
 */
final class ActiveItems {

    private final NamespaceShares shares;
    private final Map<String, NavigableSet<QueueItem>> byNamespace = new HashMap<>();
    private final Comparator<QueueItem> order;
    private int size;

    /** @param order the order of the items of a namespace, which starts with the priority */
    ActiveItems(NamespaceShares shares, Comparator<QueueItem> order) {
        this.shares = shares;
        this.order = order;
    }

    /** The values by which namespaces are ordered. */
    private record Turn(boolean isOverShare, double virtualTime, QueueItem first) {

        static final Comparator<Turn> ORDER = Comparator.comparing(Turn::isOverShare)
                .thenComparing(turn -> turn.first().priority(), Comparator.reverseOrder())
                .thenComparingDouble(Turn::virtualTime);
    }

    void add(QueueItem item) {
        if (byNamespace
                .computeIfAbsent(item.namespace(), namespace -> new TreeSet<>(order))
                .add(item)) {
            size++;
        }
    }

    void remove(QueueItem item) {
        NavigableSet<QueueItem> items = byNamespace.get(item.namespace());
        if (items != null && items.remove(item)) {
            size--;
            if (items.isEmpty()) {
                byNamespace.remove(item.namespace());
            }
        }
    }

    boolean contains(QueueItem item) {
        NavigableSet<QueueItem> items = byNamespace.get(item.namespace());
        return items != null && items.contains(item);
    }

    /** The namespaces with at least one item. */
    Set<String> namespaces() {
        return byNamespace.keySet();
    }

    int size() {
        return size;
    }

    /** Takes the next item of a namespace that has room. */
    Optional<QueueItem> poll(Moment now, Predicate<String> hasRoom) {
        byNamespace.keySet().stream()
                .mapToDouble(shares::virtualTime)
                .min()
                .ifPresent(least -> shares.advance(least, now));
        Optional<QueueItem> next = byNamespace.entrySet().stream()
                .filter(each -> hasRoom.test(each.getKey()))
                .map(each -> new Turn(
                        shares.isOverShare(each.getKey(), now),
                        shares.virtualTime(each.getKey()),
                        Objects.requireNonNull(each.getValue().first())))
                .min(Turn.ORDER.thenComparing(Turn::first, order))
                .map(Turn::first);
        next.ifPresent(this::remove);
        return next;
    }
}
