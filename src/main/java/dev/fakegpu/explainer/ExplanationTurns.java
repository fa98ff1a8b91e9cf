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

    /** Of all pods and claims of a namespace in one pass. */
    static final Duration OF_NAMESPACE = Duration.ofSeconds(1);

    private final LongSupplier cpuNanos;

    /** The pass in which a pod or claim had its last turn, by UID. */
    private final Map<String, Long> turns = new HashMap<>();

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
     * Works something out for a pod or claim, unless its namespace has used its time.
     *
     * @return empty if there was no time for it or not enough
     */
    <R> Optional<R> of(HasMetadata about, Function<SearchLimit, R> work) {
        String namespace = about.getMetadata().getNamespace();
        Duration left = OF_NAMESPACE.minusNanos(usedNanos.getOrDefault(namespace, 0L));
        if (left.isNegative() || left.isZero()) {
            isIncomplete |= lastTurn(about) < changedBefore;
            return Optional.empty();
        }
        turns.put(about.getMetadata().getUid(), pass);
        long begin = cpuNanos.getAsLong();
        try {
            return Optional.of(work.apply(SearchLimit.of(left.compareTo(OF_ONE) < 0 ? left : OF_ONE, cpuNanos)));
        } catch (EvaluationInterrupted e) {
            return Optional.empty();
        } finally {
            usedNanos.merge(namespace, cpuNanos.getAsLong() - begin, Long::sum);
        }
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
    }

    private long lastTurn(HasMetadata object) {
        return turns.getOrDefault(object.getMetadata().getUid(), 0L);
    }
}
