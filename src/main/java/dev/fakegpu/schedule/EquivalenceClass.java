package dev.fakegpu.schedule;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Unschedulable pods or claims with the same requirements. While the first of them cannot be scheduled, no other can, so only the first is
 * retried, and one explanation serves all.
 */
final class EquivalenceClass {

    /** The generation of members that wait for a change to their own object: changes elsewhere do not make them worth retrying. */
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

    /** The latest generation that the last attempt saw; {@link NodeGenerations#NONE} before the first attempt. */
    long attemptedAt() {
        return attemptedAt;
    }

    void attempted(long generation) {
        attemptedAt = generation;
        explanation = null;
    }

    /** The member that is active again, or null. */
    @Nullable QueueItem retried() {
        return retried;
    }

    void retry(@Nullable QueueItem member) {
        retried = member;
    }

    /** Why the last attempt failed; null until it has been explained. */
    @Nullable String explanation() {
        return explanation;
    }

    void explain(String newExplanation) {
        explanation = newExplanation;
    }
}
