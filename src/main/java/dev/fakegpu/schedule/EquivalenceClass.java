package dev.fakegpu.schedule;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Unschedulable pods or claims with the same requirements. As long as the first of them cannot be served, no other can, so only the first is
 * retried and one explanation is enough for all.
 */
final class EquivalenceClass {

    /** The generation for members that wait for a change of their own: no change elsewhere makes them worth another attempt. */
    static final long BLOCKED = Long.MAX_VALUE;

    private final Object requirements;
    private final NavigableSet<QueueItem> members = new TreeSet<>();
    private long attemptedAt = NodeGenerations.NONE;
    private @Nullable QueueItem retried;
    private @Nullable String explanation;

    EquivalenceClass(Object requirements) {
        this.requirements = requirements;
    }

    /** Equal for all members. */
    Object requirements() {
        return requirements;
    }

    NavigableSet<QueueItem> members() {
        return members;
    }

    /** The latest generation that the last attempt knew; {@link NodeGenerations#NONE} if there was no attempt yet. */
    long attemptedAt() {
        return attemptedAt;
    }

    void attempted(long generation) {
        attemptedAt = generation;
        explanation = null;
    }

    /** The member that is active again; null if none is. */
    @Nullable QueueItem retried() {
        return retried;
    }

    void retry(@Nullable QueueItem member) {
        retried = member;
    }

    /** Why the last attempt failed; null until that has been worked out. */
    @Nullable String explanation() {
        return explanation;
    }

    void explain(String newExplanation) {
        explanation = newExplanation;
    }
}
