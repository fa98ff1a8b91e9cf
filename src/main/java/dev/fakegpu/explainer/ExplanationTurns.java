package dev.fakegpu.explainer;

import dev.fakegpu.allocate.SearchLimit;
import dev.fakegpu.cel.EvaluationInterrupted;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Bounds the processor time that each pod or claim, and each namespace, takes of one pass of the explainer, so that slow selectors hold up
 * nobody else. A namespace with more to do than fits goes on in the next pass, with those whose turn was longest ago. Not thread-safe.
 */
final class ExplanationTurns {

    static final Duration OF_ONE = Duration.ofMillis(500);

    /** How often the time is doubled for one that it was too short for: in a process that has just started, everything takes longer. */
    static final int DOUBLINGS = 3;

    /** After which no other pod or claim of a namespace has a turn in the same pass. */
    static final Duration OF_NAMESPACE = Duration.ofSeconds(1);

    private final LongSupplier cpuNanos;

    /** The pass in which a pod or claim had its last turn, by UID. */
    private final Map<String, Long> turns = new HashMap<>();

    /** How often the time was too short, by UID of a pod or claim. */
    private final Map<String, Integer> interruptions = new HashMap<>();

    /** In this pass, by namespace. */
    private final Map<String, Long> usedNanos = new HashMap<>();

    private long pass;
    private long changedBefore;
    private boolean isIncomplete;

    /** @param cpuNanos the time that the explainer's thread has been computing, in nanoseconds */
    ExplanationTurns(LongSupplier cpuNanos) {
        this.cpuNanos = cpuNanos;
    }

    /** Everything may have another explanation than in earlier passes. */
    void clusterChanged() {
        changedBefore = pass + 1;
    }

    void nextPass() {
        pass++;
        isIncomplete = false;
        usedNanos.clear();
    }

    /** Those whose turn was longest ago first. */
    <T extends HasMetadata> List<T> inOrder(List<T> objects) {
        return objects.stream().sorted(Comparator.comparing(this::lastTurn)).toList();
    }

    /**
     * Works something out for a pod or claim, unless its namespace has used its time. If its own time is too short, it is tried again in
     * the next pass with twice as much, up to {@link #DOUBLINGS} times; then what was worked out counts, such as that it takes too long.
     *
     * @return empty if there was no time for it or not enough
     */
    <R> Optional<R> of(HasMetadata about, Function<SearchLimit, R> work) {
        String namespace = about.getMetadata().getNamespace();
        if (usedNanos.getOrDefault(namespace, 0L) >= OF_NAMESPACE.toNanos()) {
            isIncomplete |= lastTurn(about) < changedBefore;
            return Optional.empty();
        }
        turns.put(about.getMetadata().getUid(), pass);
        long begin = cpuNanos.getAsLong();
        try {
            return within(limit(about), about, work);
        } finally {
            usedNanos.merge(namespace, cpuNanos.getAsLong() - begin, Long::sum);
        }
    }

    private <R> Optional<R> within(SearchLimit limit, HasMetadata about, Function<SearchLimit, R> work) {
        try {
            R result = work.apply(limit);
            if (limit.interrupted() == null) {
                interruptions.remove(about.getMetadata().getUid());
                return Optional.of(result);
            }
            return wasInterrupted(about) ? Optional.empty() : Optional.of(result);
        } catch (EvaluationInterrupted e) {
            wasInterrupted(about);
            return Optional.empty();
        }
    }

    /** Those whose time was too short even after all doublings have the shortest again, so that they do not take more than others. */
    private SearchLimit limit(HasMetadata about) {
        int times = interruptions.getOrDefault(about.getMetadata().getUid(), 0);
        return SearchLimit.of(OF_ONE.multipliedBy(times > DOUBLINGS ? 1 : 1L << times), cpuNanos);
    }

    /** @return whether it is tried again in the next pass */
    private boolean wasInterrupted(HasMetadata about) {
        boolean isTriedAgain = interruptions.merge(about.getMetadata().getUid(), 1, Integer::sum) <= DOUBLINGS;
        isIncomplete |= isTriedAgain;
        return isTriedAgain;
    }

    /** Another one has the same explanation, so that its turn counts for both. */
    void shareTurn(HasMetadata about, HasMetadata other) {
        turns.put(about.getMetadata().getUid(), lastTurn(other));
    }

    /** Whether something has had no turn since the cluster changed, so that there has to be another pass. */
    boolean isIncomplete() {
        return isIncomplete;
    }

    /** Forgets all others. */
    void retain(Set<String> uids) {
        turns.keySet().retainAll(uids);
        interruptions.keySet().retainAll(uids);
    }

    private long lastTurn(HasMetadata object) {
        return turns.getOrDefault(object.getMetadata().getUid(), 0L);
    }
}
