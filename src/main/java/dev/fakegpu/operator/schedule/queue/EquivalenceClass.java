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
 * Unschedulable pods or claims with the same requirements. While the first of them cannot be scheduled, no other can, so only the first is
 * retried, and one explanation serves all that are in the same namespace.
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
     * The last attempt ended before all nodes were tried.
     *
     * @param inARow how many attempts in a row ended so
     * @param node where it ended
     * @param retryAt when the next attempt begins, with the nodes after that one
     */
    public record Interruption(int inARow, String node, Moment retryAt) {}

    /** Equal for all members. */
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

    /** The generation since which a node must have changed to be tried again. */
    public long triedAllAt() {
        return triedAllAt;
    }

    /** Nodes refused it for lack of devices. */
    public void needsDevices() {
        needsDevices = true;
    }

    /** Nodes refused it for something else than devices. */
    public void needsOther() {
        needsOther = true;
    }

    /**
     * Whether something changed since the last attempt that kube-scheduler would not hold to be irrelevant. Upstream: {@code EventsToRegister} of
     * the plugins {@code dynamicresources} and {@code noderesources}.
     */
    boolean isHelpedBy(NodeGenerations generations) {
        return generations.anyChangedSince(attemptedAt, Cause.OTHER)
                || (needsDevices && generations.anyChangedSince(attemptedAt, Cause.DEVICES))
                || (needsOther && generations.anyChangedSince(attemptedAt, Cause.PODS));
    }

    /** All nodes that changed since the attempt before were tried. */
    public void attempted(long generation) {
        ended(generation);
        triedAllAt = generation;
    }

    /** The attempt ended with an error that no other node can help. Once a node has changed, all of them are tried again. */
    public void failed(long generation) {
        ended(generation);
        triedAllAt = NodeGenerations.NONE;
    }

    private void ended(long generation) {
        attemptedAt = generation;
        interruption = null;
        explanations.clear();
    }

    /** The attempt took too long. The next one does not wait for a change, but until it is due. */
    public void interrupted(Interruption newInterruption) {
        interruption = newInterruption;
        triedAllAt = NodeGenerations.NONE;
        explanations.clear();
    }

    /** Null unless the last attempt was interrupted. */
    @Nullable public Interruption interruption() {
        return interruption;
    }

    /** Whether it is too early for another attempt, whatever has changed. */
    public boolean isBackingOff(Moment now) {
        return interruption != null && now.isBefore(interruption.retryAt());
    }

    /** The member that is active again, or null. */
    @Nullable QueueItem retried() {
        return retried;
    }

    void retry(@Nullable QueueItem member) {
        retried = member;
    }

    /**
     * Which of the other members, or of those that are tried again, are before a member.
     *
     * @param waiting a member with the claims that it uses
     */
    public Optional<QueuePosition> position(QueueItem item, Function<QueueItem, Waiting> waiting) {
        Stream<QueueItem> before = Stream.concat(
                Stream.ofNullable(retried).filter(each -> !members.contains(each)),
                members.headSet(item, false).stream());
        return QueuePosition.of(waiting.apply(item), before.map(waiting));
    }

    /** Why the last attempt failed, in words for the members of a namespace. */
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
     * So that they are worked out again: those that name claims which would have to be released.
     *
     * @return whether there were any
     */
    public boolean forgetReleases() {
        return explanations
                .values()
                .removeIf(known -> known.filter(Unschedulable::hasRelease).isPresent());
    }

    /** So that it is worked out again. */
    public void forgetExplanation(String namespace) {
        explanations.remove(namespace);
    }
}
