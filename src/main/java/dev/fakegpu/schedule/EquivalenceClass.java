package dev.fakegpu.schedule;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for the same. As long as the first of them cannot be served, no other can, so only the first is tried again and
 * only one of them needs an explanation.
 */
final class EquivalenceClass {

    /** Never tried again because of what happens elsewhere: something of its own has to change. */
    static final long BLOCKED = Long.MAX_VALUE;

    private final Object wants;
    private final NavigableSet<QueueItem> members = new TreeSet<>();
    private long attemptedAt = -1;
    private @Nullable QueueItem woken;
    private @Nullable String explanation;

    EquivalenceClass(Object wants) {
        this.wants = wants;
    }

    Object wants() {
        return wants;
    }

    NavigableSet<QueueItem> members() {
        return members;
    }

    /** The number of the last change that the last attempt knew of; -1 if there was none yet. */
    long attemptedAt() {
        return attemptedAt;
    }

    void attempted(long change) {
        attemptedAt = change;
        explanation = null;
    }

    /** The member that is having another attempt. */
    @Nullable QueueItem woken() {
        return woken;
    }

    void wake(@Nullable QueueItem member) {
        woken = member;
    }

    @Nullable String explanation() {
        return explanation;
    }

    void explain(String newExplanation) {
        explanation = newExplanation;
    }
}
