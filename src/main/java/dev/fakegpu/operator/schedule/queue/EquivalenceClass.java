package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.cluster.fit.QueuePosition;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.operator.schedule.cache.NodeGenerations;
import dev.fakegpu.operator.schedule.cache.NodeGenerations.Cause;
import dev.fakegpu.util.Moment;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Unschedulable pods or claims with the same requirements. While the first of them cannot be scheduled, the others cannot either, so only
 * the first is retried, and all members in a namespace share one explanation.
 */
public final class EquivalenceClass {

    /** The generation of members that wait for a change to their own object: changes elsewhere do not make them worth retrying. */
    public static final long BLOCKED = Long.MAX_VALUE;

    private final Object requirements;
    private final NavigableSet<QueueItem> members = new TreeSet<>();
    private long attemptedAt = NodeGenerations.NONE;
    private long triedAllAt = NodeGenerations.NONE;
    private boolean needsDevices;
    private boolean needsOther;
    private @Nullable Interruption interruption;
    private @Nullable QueueItem retried;

    /** Why the last attempt failed, by namespace of the members; empty if there was nothing to explain there. */
    private final Map<String, Optional<Unschedulable>> explanations = new HashMap<>();

    public EquivalenceClass(Object requirements) {
        this.requirements = requirements;
    }

    /**
     * An attempt that ended before all nodes were tried.
     *
     * @param inARow the number of consecutive attempts that ended this way
     * @param node the node at which it ended
     * @param retryAt when the next attempt begins, at the node after that one
     */
    public record Interruption(int inARow, String node, Moment retryAt) {}

    /** The requirements, which are equal for all members. */
    Object requirements() {
        return requirements;
    }

    public NavigableSet<QueueItem> members() {
        return members;
    }

    /** The latest generation that the last attempt saw; {@link NodeGenerations#NONE} before the first attempt. */
    public long attemptedAt() {
        return attemptedAt;
    }

    /** Nodes that have changed since this generation are tried again. */
    public long triedAllAt() {
        return triedAllAt;
    }

    /** Records that nodes refused the class for lack of devices. */
    public void needsDevices() {
        needsDevices = true;
    }

    /** Records that nodes refused the class because of other pods, such as those that take their resources. */
    public void needsOther() {
        needsOther = true;
    }

    /**
     * Whether there was a change since the last attempt that kube-scheduler would consider relevant. Upstream: {@code EventsToRegister} of
     * the plugins {@code dynamicresources} and {@code noderesources}.
     */
    boolean isHelpedBy(NodeGenerations generations) {
        return generations.anyChangedSince(attemptedAt, Cause.OTHER)
                || (needsDevices && generations.anyChangedSince(attemptedAt, Cause.DEVICES))
                || (needsOther && generations.anyChangedSince(attemptedAt, Cause.PODS));
    }

    /** Records an attempt that tried all nodes that had changed since the previous attempt. */
    public void attempted(long generation) {
        ended(generation);
        triedAllAt = generation;
    }

    /**
     * Records an attempt that ended with an error on which the node has no influence. Once any node or device has changed, all nodes are
     * tried again.
     */
    public void failed(long generation) {
        ended(generation);
        needsDevices = true;
        triedAllAt = NodeGenerations.NONE;
    }

    private void ended(long generation) {
        attemptedAt = generation;
        interruption = null;
        explanations.clear();
    }

    /** Records an attempt that took too long. The next one begins when it is due, without waiting for a change. */
    public void interrupted(Interruption newInterruption) {
        interruption = newInterruption;
        triedAllAt = NodeGenerations.NONE;
        explanations.clear();
    }

    /** The interruption of the last attempt; null if there was none. */
    @Nullable public Interruption interruption() {
        return interruption;
    }

    /** Whether it is too early for another attempt, regardless of changes. */
    public boolean isBackingOff(Moment now) {
        return interruption != null && now.isBefore(interruption.retryAt());
    }

    /** The member that is being retried, or null. */
    @Nullable QueueItem retried() {
        return retried;
    }

    void retry(@Nullable QueueItem member) {
        retried = member;
    }

    /**
     * Which other waiting items come before a member.
     *
     * @param waiting describes a member with the claims that it uses
     */
    public Optional<QueuePosition> position(QueueItem item, Function<QueueItem, Waiting> waiting) {
        Stream<QueueItem> before = Stream.concat(
                Stream.ofNullable(retried).filter(each -> !members.contains(each)),
                members.headSet(item, false).stream());
        return QueuePosition.of(waiting.apply(item), before.map(waiting));
    }

    /** Why the last attempt failed, worded for the members of a namespace. */
    public Optional<Unschedulable> explanation(String namespace) {
        return explanations.getOrDefault(namespace, Optional.empty());
    }

    public boolean isExplained(String namespace) {
        return explanations.containsKey(namespace);
    }

    /** @param explanation empty if there is nothing to explain to the members of the namespace */
    public void explain(String namespace, Optional<Unschedulable> explanation) {
        explanations.put(namespace, explanation);
    }

    /**
     * Forgets explanations that depend on which claims hold devices, so that they are computed again.
     *
     * @return whether there were any
     */
    public boolean forgetReleases() {
        return explanations
                .values()
                .removeIf(known -> known.filter(Unschedulable::hasRelease).isPresent());
    }

    /** Forgets the explanation, so that it is computed again. */
    public void forgetExplanation(String namespace) {
        explanations.remove(namespace);
    }
}
