package dev.fakegpu.operator.explainer;

import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Limits the time of one pass of the explainer, and the processor time of each pod or claim and each namespace in it, so that slow
 * selectors do not delay others. The rest continues in the next pass, beginning with those whose turn was longest ago. Not thread-safe.
 */
final class ExplanationTurns {

    static final Duration OF_ONE = Duration.ofMillis(500);

    /** How often the time is doubled for a pod or claim if it was too short; in a new process, everything takes longer. */
    static final int DOUBLINGS = 3;

    /** After this time, no other pod or claim of the namespace gets a turn in the same pass. */
    static final Duration OF_NAMESPACE = Duration.ofMillis(250);

    /** After this time, no other pod or claim gets a turn in the same pass; new arrivals wait for the next one. */
    static final Duration OF_PASS = Duration.ofSeconds(1);

    /** The same limit in processor time. */
    static final Duration CPU_OF_PASS = Duration.ofMillis(750);

    private final Time time;

    /** The pass in which a pod or claim had its last turn, by UID. */
    private final Map<String, Long> turns = new HashMap<>();

    /** How often the time was too short, by UID of the pod or claim. */
    private final Map<String, Integer> interruptions = new HashMap<>();

    /** The processor time used in this pass, by namespace. */
    private final Map<String, Long> usedNanos = new HashMap<>();

    private long pass;
    private long changedBefore;
    private boolean isIncomplete;
    private long begin;
    private long cpuBegin;

    /**
     * The sources of time.
     *
     * @param cpuNanos the processor time of the explainer's thread, in nanoseconds
     * @param nanos the elapsed time, in nanoseconds
     * @param othersWait whether new pods or claims have arrived since the pass began
     */
    record Time(LongSupplier cpuNanos, LongSupplier nanos, BooleanSupplier othersWait) {}

    ExplanationTurns(Time time) {
        this.time = time;
    }

    /** Records that any explanation may have changed. */
    void clusterChanged() {
        changedBefore = pass + 1;
    }

    void nextPass() {
        pass++;
        isIncomplete = false;
        usedNanos.clear();
        begin = time.nanos().getAsLong();
        cpuBegin = time.cpuNanos().getAsLong();
    }

    /** Records a pod or claim that has no explanation yet, or needs another one as urgently. */
    void arrived(String uid) {
        turns.remove(uid);
    }

    /** Whether it has not had a turn yet. */
    boolean isNew(HasMetadata about) {
        return lastTurn(about) == 0;
    }

    /** Whether it has not had a turn since the cluster changed, or only one that was too short. */
    boolean needsTurn(HasMetadata about) {
        return lastTurn(about) < changedBefore
                || isNew(about)
                || isTriedAgain(interruptions.getOrDefault(about.getMetadata().getUid(), 0));
    }

    /**
     * Sorts by the time of the last turn, oldest first; the first object of each namespace comes first, then the second of each, and so on.
     */
    <T extends HasMetadata> List<T> inOrder(List<T> objects) {
        var ranks = new HashMap<T, Integer>();
        var inNamespace = new HashMap<List<Object>, Integer>();
        objects.forEach(each -> ranks.put(
                each,
                inNamespace.merge(List.of(lastTurn(each), each.getMetadata().getNamespace()), 1, Integer::sum)));
        return objects.stream()
                .sorted(Comparator.<T, Long>comparing(this::lastTurn).thenComparing(ranks::get))
                .toList();
    }

    /** Whether there is time to explain it in this pass. */
    boolean hasTime(HasMetadata about) {
        boolean isSpent = time.nanos().getAsLong() - begin >= OF_PASS.toNanos()
                || time.cpuNanos().getAsLong() - cpuBegin >= CPU_OF_PASS.toNanos();
        isIncomplete |= isSpent && needsTurn(about);
        return !isSpent;
    }

    /** Records that there is nothing to explain. */
    void skip(HasMetadata about) {
        turns.put(about.getMetadata().getUid(), pass);
    }

    /**
     * Runs work for a pod or claim, unless its namespace has used up its time. If its own time is too short, it is retried in the next pass
     * with twice the time, up to {@link #DOUBLINGS} times; after that the incomplete result counts, for example that it takes too long.
     *
     * @return empty if there was no time for it or not enough
     */
    <R> Optional<R> of(HasMetadata about, Function<SearchLimit, R> work) {
        String namespace = about.getMetadata().getNamespace();
        if (usedNanos.getOrDefault(namespace, 0L) >= OF_NAMESPACE.toNanos()) {
            isIncomplete |= needsTurn(about);
            return Optional.empty();
        }
        if (!hasTime(about)) {
            return Optional.empty();
        }
        turns.put(about.getMetadata().getUid(), pass);
        long cpuBefore = time.cpuNanos().getAsLong();
        try {
            return within(limit(about), about, work);
        } finally {
            usedNanos.merge(namespace, time.cpuNanos().getAsLong() - cpuBefore, Long::sum);
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

    /**
     * If the time was too short even after all doublings, it is reset to the shortest time, so that the object does not take more than
     * others. A doubled time ends early when others arrive.
     */
    private SearchLimit limit(HasMetadata about) {
        int times = interruptions.getOrDefault(about.getMetadata().getUid(), 0);
        return SearchLimit.of(OF_ONE.multipliedBy(times > DOUBLINGS ? 1 : 1L << times), time.cpuNanos())
                .and(SearchLimit.of(OF_ONE, time.cpuNanos()).onlyIf(time.othersWait()));
    }

    /** @return whether it is retried in the next pass */
    private boolean wasInterrupted(HasMetadata about) {
        boolean isTriedAgain =
                isTriedAgain(interruptions.merge(about.getMetadata().getUid(), 1, Integer::sum));
        isIncomplete |= isTriedAgain;
        return isTriedAgain;
    }

    private static boolean isTriedAgain(int times) {
        return times > 0 && times <= DOUBLINGS;
    }

    /** Records that another one has the same explanation, so that its turn counts for both. */
    void shareTurn(HasMetadata about, HasMetadata other) {
        turns.put(about.getMetadata().getUid(), lastTurn(other));
    }

    /** Whether any object has not had a turn since the cluster changed, so that another pass is needed. */
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
