package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.operator.schedule.cache.NodeGenerations;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pending pods and claims in three parts, as in kube-scheduler's queue: <i>active</i> items are scheduled next, in order;
 * <i>backoff</i> items had a failed write, a failed binding, or an attempt that took too long, and become active after a delay;
 * <i>unschedulable</i> items wait for a change that may help. Of unschedulable items with the same requirements, only the first is retried
 * then; in the order of kube-scheduler, each is, in the order of {@link PodAttempts}. Not thread-safe.
 */
public final class SchedulingQueue {

    private static final ExponentialBackoff BACKOFF =
            new ExponentialBackoff(Duration.ofMillis(50), Duration.ofSeconds(10));

    /** Long, because a request that timed out has cost the API server a lot, and the next one would, too. */
    private static final ExponentialBackoff AFTER_TIMEOUT =
            new ExponentialBackoff(Duration.ofSeconds(5), Duration.ofMinutes(10));

    /** As in kube-scheduler; the next attempt may choose the same devices. */
    private static final ExponentialBackoff AFTER_BINDING =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    /** An item from the time that it becomes pending until it is removed, even while its decision is being written. */
    private static final class Entry {
        private QueueItem item;
        private int failures;
        private int timeouts;
        private int bindings;
        private boolean isHeld;
        private @Nullable Moment due;
        private @Nullable EquivalenceClass equivalenceClass;

        Entry(QueueItem item) {
            this.item = item;
        }
    }

    private final Consumer<String> whenRemoved;
    private final Map<String, Entry> entries = new HashMap<>();
    private final NamespaceShares shares;
    private final Arrivals arrivals;
    private final ActiveItems active;
    private final @Nullable PodAttempts attempts;
    private final TreeSet<Entry> backoff =
            new TreeSet<>(Comparator.comparing((Entry entry) -> Objects.requireNonNull(entry.due))
                    .thenComparing(entry -> entry.item));
    private final Map<Object, EquivalenceClass> equivalenceClasses = new HashMap<>();
    private long latestGeneration;

    /**
     * @param whenRemoved called with the UID of each item that was removed or placed
     * @param shares decides which namespace is next
     * @param arrivals new items that the scheduling thread has not handled yet
     */
    public SchedulingQueue(Consumer<String> whenRemoved, NamespaceShares shares, Arrivals arrivals) {
        this(whenRemoved, shares, arrivals, null);
    }

    private SchedulingQueue(
            Consumer<String> whenRemoved, NamespaceShares shares, Arrivals arrivals, @Nullable PodAttempts attempts) {
        this.whenRemoved = whenRemoved;
        this.arrivals = arrivals;
        this.shares = shares;
        this.attempts = attempts;
        active = new ActiveItems(shares, attempts == null ? Comparator.naturalOrder() : attempts.order());
    }

    /** A queue in the order of kube-scheduler. */
    public static SchedulingQueue ofKubeScheduler(Consumer<String> whenRemoved, Arrivals arrivals, Ticker ticker) {
        return new SchedulingQueue(whenRemoved, NamespaceShares.inOrderOfPriority(), arrivals, new PodAttempts(ticker));
    }

    /** The time of the scheduling thread that each namespace used. */
    public NamespaceShares shares() {
        return shares;
    }

    /** Adds an item that is new or changed; it becomes active, unless it is held. */
    public void activate(QueueItem item) {
        Entry entry = entries.computeIfAbsent(item.uid(), uid -> new Entry(item));
        if (entry.isHeld) {
            return;
        }
        if (attempts != null) {
            attempts.added(item);
        }
        leave(entry);
        entry.item = item;
        requeue(item);
    }

    private void requeue(QueueItem item) {
        if (attempts != null && attempts.isBackingOff(item)) {
            attempts.backOff(item);
        } else {
            active.add(item);
        }
    }

    /** Removes an item that is no longer pending. */
    public void remove(String uid) {
        Entry entry = entries.remove(uid);
        if (entry != null) {
            leave(entry);
            if (attempts != null) {
                attempts.forget(entry.item);
            }
            whenRemoved.accept(uid);
        }
    }

    public boolean contains(String uid) {
        return entries.containsKey(uid);
    }

    /**
     * Takes the next item to schedule; it is then in none of the parts.
     *
     * @param hasRoom whether the next item may be in a namespace
     */
    public Optional<QueueItem> poll(Moment now, Predicate<String> hasRoom) {
        while (!backoff.isEmpty()
                && !Objects.requireNonNull(backoff.first().due).isAfter(now)) {
            Entry due = Objects.requireNonNull(backoff.pollFirst());
            due.due = null;
            due.isHeld = false;
            active.add(due.item);
        }
        return attempts == null ? active.poll(now, hasRoom) : poll(attempts, now, hasRoom);
    }

    /** Skips items with the same requirements as one that has failed since they were woken, because they would fail too. */
    private Optional<QueueItem> poll(PodAttempts ordered, Moment now, Predicate<String> hasRoom) {
        for (var each = ordered.pollCompleted(); each.isPresent(); each = ordered.pollCompleted()) {
            active.add(each.get());
        }
        Optional<QueueItem> next = active.poll(now, hasRoom).or(() -> ordered.poll(hasRoom));
        while (next.isPresent() && isRefusedAlready(next.get())) {
            ordered.failed(next.get());
            next = active.poll(now, hasRoom).or(() -> ordered.poll(hasRoom));
        }
        return next;
    }

    private boolean isRefusedAlready(QueueItem item) {
        Entry entry = entries.get(item.uid());
        EquivalenceClass ofItem = entry == null ? null : entry.equivalenceClass;
        return ofItem != null && ofItem.interruption() == null && ofItem.attemptedAt() >= latestGeneration;
    }

    /** When the next backoff item becomes active. */
    public Optional<Moment> nextDue() {
        return backoff.isEmpty() ? Optional.empty() : Optional.ofNullable(backoff.first().due);
    }

    /** Retries the item with back-off after a failed write. */
    public void backOff(String uid, Moment now) {
        Entry entry = entries.get(uid);
        if (entry == null) {
            return;
        }
        await(uid, now.plus(BACKOFF.after(++entry.failures)));
    }

    /**
     * Retries the item with a longer back-off after a write timed out, and not earlier even if something changes.
     *
     * @return the time until then; empty if the item is no longer pending
     */
    public Optional<Duration> backOffAfterTimeout(String uid, Moment now) {
        Entry entry = entries.get(uid);
        if (entry == null) {
            return Optional.empty();
        }
        Duration wait = AFTER_TIMEOUT.after(++entry.timeouts);
        hold(uid, now.plus(wait));
        return Optional.of(wait);
    }

    /** Retries the item with back-off after its devices failed to become ready, and not earlier even if something changes. */
    public void backOffFromBinding(String uid, Moment now) {
        Entry entry = entries.get(uid);
        if (entry != null) {
            hold(uid, now.plus(AFTER_BINDING.after(++entry.bindings)));
        }
    }

    /** Whether the item is in back-off. */
    public boolean isBackingOff(String uid) {
        Entry entry = entries.get(uid);
        return entry != null && entry.due != null;
    }

    /** Whether a write for the item has timed out. */
    public boolean hasTimedOut(String uid) {
        Entry entry = entries.get(uid);
        return entry != null && entry.timeouts > 0;
    }

    /** Makes the item active when it is due, and not earlier. */
    public void hold(String uid, Moment due) {
        await(uid, due);
        Entry entry = entries.get(uid);
        if (entry != null) {
            entry.isHeld = true;
        }
    }

    /** Makes the item active when it is due, or earlier if it changes. */
    public void await(String uid, Moment due) {
        Entry entry = entries.get(uid);
        if (entry != null) {
            leave(entry);
            await(entry, due);
        }
    }

    /** The class of unschedulable items with these requirements; if there are none, a new class that is not in the queue yet. */
    public EquivalenceClass equivalenceClass(Object requirements) {
        EquivalenceClass existing = equivalenceClasses.get(requirements);
        return existing == null ? new EquivalenceClass(requirements) : existing;
    }

    /** Makes the item unschedulable as a member of the class. */
    public void unschedulable(QueueItem item, EquivalenceClass equivalenceClass) {
        Entry entry = entries.get(item.uid());
        if (entry == null) {
            return;
        }
        if (attempts != null && equivalenceClass.attemptedAt() != EquivalenceClass.BLOCKED) {
            active.remove(entry.item);
            attempts.leave(entry.item);
            attempts.failed(entry.item);
        }
        if (entry.equivalenceClass == equivalenceClass) {
            equivalenceClass.retry(null);
            return;
        }
        leave(entry);
        entry.equivalenceClass = equivalenceClass;
        if (equivalenceClass.members().isEmpty()) { // the requirements of a large gang take long to hash
            equivalenceClasses.put(equivalenceClass.requirements(), equivalenceClass);
        }
        equivalenceClass.members().add(item);
    }

    /**
     * Adds the item to its class, which was {@linkplain EquivalenceClass#interrupted interrupted}: the first member becomes active when the
     * next attempt is due, and not earlier even if something changes.
     */
    public void backOff(QueueItem item, EquivalenceClass equivalenceClass) {
        unschedulable(item, equivalenceClass);
        if (equivalenceClass.retried() == null && !equivalenceClass.members().isEmpty()) {
            retryFirst(equivalenceClass);
        }
    }

    /** Records that the item was placed, so another one of its class may fit too. */
    public void succeeded(QueueItem item) {
        Entry entry = entries.get(item.uid());
        if (entry != null) {
            leave(entry);
            whenRemoved.accept(item.uid());
        }
    }

    /**
     * Activates the first item (or all items, in the order of kube-scheduler) of each class for which a node has changed since the last
     * attempt.
     */
    public void wake(NodeGenerations generations) {
        latestGeneration = generations.latest();
        for (EquivalenceClass each : equivalenceClasses.values()) {
            if (attempts != null && each.interruption() == null) {
                wakeAll(attempts, each, generations);
            } else if (each.retried() == null && generations.anyChangedSince(each.attemptedAt())) {
                retryFirst(each);
            }
        }
    }

    private void wakeAll(PodAttempts ordered, EquivalenceClass equivalenceClass, NodeGenerations generations) {
        if (equivalenceClass.isHelpedBy(generations)) {
            equivalenceClass.members().stream()
                    .filter(item -> !active.contains(item) && !ordered.contains(item))
                    .forEach(this::requeue);
        }
    }

    /** The classes with unschedulable items. */
    public Collection<EquivalenceClass> equivalenceClasses() {
        return equivalenceClasses.values();
    }

    /** The namespaces of the active items. */
    public Set<String> activeNamespaces() {
        return active.namespaces();
    }

    /** Whether items of other namespaces are active. */
    public boolean isActiveBeside(String namespace) {
        return active.namespaces().stream().anyMatch(each -> !each.equals(namespace));
    }

    /** Whether items of other namespaces will be active as soon as the scheduling thread has time for them. Thread-safe. */
    public boolean isArrivingBeside(String namespace) {
        return arrivals.includeOthersThan(namespace);
    }

    public int activeCount() {
        return active.size();
    }

    public int backoffCount() {
        return backoff.size() + (attempts == null ? 0 : attempts.size());
    }

    public int unschedulableCount() {
        return equivalenceClasses.values().stream()
                .mapToInt(each -> each.members().size())
                .sum();
    }

    private void retryFirst(EquivalenceClass equivalenceClass) {
        QueueItem first = equivalenceClass.members().first();
        equivalenceClass.retry(first);
        EquivalenceClass.Interruption interruption = equivalenceClass.interruption();
        if (interruption == null) {
            active.add(first);
        } else {
            await(Objects.requireNonNull(entries.get(first.uid())), interruption.retryAt());
        }
    }

    private void await(Entry entry, Moment due) {
        entry.due = due;
        backoff.add(entry);
    }

    private void leave(Entry entry) {
        active.remove(entry.item);
        if (attempts != null) {
            attempts.leave(entry.item);
        }
        if (entry.due != null) {
            backoff.remove(entry);
            entry.due = null;
        }
        EquivalenceClass equivalenceClass = entry.equivalenceClass;
        if (equivalenceClass != null) {
            entry.equivalenceClass = null;
            leave(equivalenceClass, entry.item);
        }
    }

    /** If the removed item was being retried, the next member is retried instead. */
    private void leave(EquivalenceClass equivalenceClass, QueueItem item) {
        equivalenceClass.members().remove(item);
        boolean wasRetried = item.equals(equivalenceClass.retried());
        if (wasRetried) {
            equivalenceClass.retry(null);
        }
        if (equivalenceClass.members().isEmpty()) {
            equivalenceClasses.remove(equivalenceClass.requirements(), equivalenceClass);
        } else if (wasRetried) {
            retryFirst(equivalenceClass);
        }
    }
}
