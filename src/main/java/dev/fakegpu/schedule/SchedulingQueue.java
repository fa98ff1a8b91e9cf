package dev.fakegpu.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, as kube-scheduler keeps it: <i>active</i> are looked at next, in their order; <i>backoff</i> were disturbed by a
 * failed write and become active after a while; <i>unschedulable</i> cannot be served and wait for a change that may help. For
 * one thread.
 */
final class SchedulingQueue {

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(10);

    /** What is known of one that waits or is being bound, until it is removed. */
    private static final class Known {
        private QueueItem item;
        private int failures;
        private @Nullable Instant due;
        private @Nullable EquivalenceClass group;

        Known(QueueItem item) {
            this.item = item;
        }
    }

    private final Consumer<String> whenRemoved;
    private final Map<String, Known> known = new HashMap<>();
    private final TreeSet<QueueItem> active = new TreeSet<>();
    private final TreeSet<Known> backoff = new TreeSet<>(
            Comparator.comparing((Known one) -> Objects.requireNonNull(one.due)).thenComparing(one -> one.item));
    private final Map<Object, EquivalenceClass> groups = new HashMap<>();

    /** @param whenRemoved told the UID of each that waits no longer, or not for the same */
    SchedulingQueue(Consumer<String> whenRemoved) {
        this.whenRemoved = whenRemoved;
    }

    /** New, or something of its own changed: it is looked at as soon as it is its turn. */
    void activate(QueueItem item) {
        Known one = known.computeIfAbsent(item.uid(), uid -> new Known(item));
        leave(one);
        one.item = item;
        active.add(item);
    }

    /** It waits no longer. */
    void remove(String uid) {
        Known one = known.remove(uid);
        if (one != null) {
            leave(one);
            whenRemoved.accept(uid);
        }
    }

    boolean contains(String uid) {
        return known.containsKey(uid);
    }

    /** The next one to look at, which then is in none of the parts. */
    Optional<QueueItem> poll(Instant now) {
        while (!backoff.isEmpty()
                && !Objects.requireNonNull(backoff.first().due).isAfter(now)) {
            Known due = Objects.requireNonNull(backoff.pollFirst());
            due.due = null;
            active.add(due.item);
        }
        return Optional.ofNullable(active.pollFirst());
    }

    boolean hasActive() {
        return !active.isEmpty();
    }

    /** When the next one of backoff becomes active. */
    Optional<Instant> nextDue() {
        return backoff.isEmpty() ? Optional.empty() : Optional.ofNullable(backoff.first().due);
    }

    /** A write failed: another attempt soon, later each time. */
    void backOff(String uid, Instant now) {
        Known one = known.get(uid);
        if (one == null) {
            return;
        }
        long factor = 1L << Math.min(one.failures++, 20);
        Duration wait = FIRST_BACKOFF.multipliedBy(factor);
        await(uid, now.plus(wait.compareTo(LONGEST_BACKOFF) < 0 ? wait : LONGEST_BACKOFF));
    }

    /** It is active again at a certain time, or before if something of its own changes. */
    void await(String uid, Instant due) {
        Known one = known.get(uid);
        if (one != null) {
            leave(one);
            one.due = due;
            backoff.add(one);
        }
    }

    /** Those who want the same; a new group, not part of the queue yet, if there are none. */
    EquivalenceClass group(Object wants) {
        EquivalenceClass group = groups.get(wants);
        return group == null ? new EquivalenceClass(wants) : group;
    }

    /** It cannot be served and waits with its like. */
    void unschedulable(QueueItem item, EquivalenceClass group) {
        Known one = known.get(item.uid());
        if (one == null) {
            return;
        }
        if (one.group == group) {
            group.wake(null);
            return;
        }
        leave(one);
        one.group = group;
        groups.put(group.wants(), group);
        group.members().add(item);
    }

    /** It got what it wanted, so the next of its kind may, too. */
    void succeeded(QueueItem item) {
        Known one = known.get(item.uid());
        if (one != null) {
            leave(one);
            whenRemoved.accept(item.uid());
        }
    }

    /** Lets the first of each group have another attempt if something happened that may help it. */
    void wake(NodeChangeClock changes) {
        for (EquivalenceClass group : groups.values()) {
            if (group.woken() == null && changes.happenedSince(group.attemptedAt())) {
                wakeFirst(group);
            }
        }
    }

    Collection<EquivalenceClass> groups() {
        return groups.values();
    }

    int activeCount() {
        return active.size();
    }

    int backoffCount() {
        return backoff.size();
    }

    int unschedulableCount() {
        return groups.values().stream()
                .mapToInt(group -> group.members().size())
                .sum();
    }

    private void wakeFirst(EquivalenceClass group) {
        QueueItem first = group.members().first();
        group.wake(first);
        active.add(first);
    }

    private void leave(Known one) {
        active.remove(one.item);
        if (one.due != null) {
            backoff.remove(one);
            one.due = null;
        }
        EquivalenceClass group = one.group;
        if (group != null) {
            one.group = null;
            leave(group, one.item);
        }
    }

    /** The next of the group takes over what the one that leaves was about to try. */
    private void leave(EquivalenceClass group, QueueItem item) {
        group.members().remove(item);
        boolean takesOver = item.equals(group.woken());
        if (takesOver) {
            group.wake(null);
        }
        if (group.members().isEmpty()) {
            groups.remove(group.wants(), group);
        } else if (takesOver) {
            wakeFirst(group);
        }
    }
}
