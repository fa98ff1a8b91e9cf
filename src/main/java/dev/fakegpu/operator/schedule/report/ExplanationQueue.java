package dev.fakegpu.operator.schedule.report;

import dev.fakegpu.operator.schedule.queue.EquivalenceClass;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.Unschedulable;
import dev.fakegpu.operator.schedule.search.ExplanationTurn;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;

/**
 * The equivalence classes whose last refusal has not been explained to all members yet. While no item is ready to be scheduled, one
 * explanation is computed for all members in a namespace, and reported on each member for which it is new. Not thread-safe.
 */
public final class ExplanationQueue {

    /** How many more times an explanation that took too long is computed; in a new process, nothing is JIT-compiled yet. */
    static final int MAX_CUTS = 3;

    private final UnschedulableExplainer explainer;
    private final StatusReporter reporter;
    private final DecisionLog log;

    /** The classes to explain, with what the next explanation has used so far. */
    private final Map<EquivalenceClass, Tries> pending = new LinkedHashMap<>();

    /**
     * What an explanation has used so far.
     *
     * @param turns the number of turns in which it yielded to other work
     * @param cuts how often it reached the time limit
     */
    private record Tries(int turns, int cuts) {
        static final Tries NONE = new Tries(0, 0);
    }

    public ExplanationQueue(UnschedulableExplainer explainer, StatusReporter reporter, DecisionLog log) {
        this.explainer = explainer;
        this.reporter = reporter;
        this.log = log;
    }

    /** Adds a class that has a new member or was refused again. */
    public void add(QueueItem item, EquivalenceClass equivalenceClass) {
        Optional<Unschedulable> known = equivalenceClass.explanation(item.namespace());
        if (known.isEmpty()) {
            equivalenceClass.forgetExplanation(item.namespace());
            pending.putIfAbsent(equivalenceClass, Tries.NONE);
        } else {
            report(item, equivalenceClass, known.get());
            reportBehind(item, equivalenceClass);
        }
    }

    /** Handles a change of the holders of devices, while the set of held devices stays the same. */
    public void holdersChanged(Collection<EquivalenceClass> all) {
        all.stream().filter(EquivalenceClass::forgetReleases).forEach(each -> pending.putIfAbsent(each, Tries.NONE));
    }

    /** Reports on the members that are now behind the new one, which happens if its priority is higher. */
    private void reportBehind(QueueItem item, EquivalenceClass equivalenceClass) {
        equivalenceClass
                .members()
                .tailSet(item, false)
                .forEach(behind -> equivalenceClass
                        .explanation(behind.namespace())
                        .filter(Unschedulable::hasRelease)
                        .ifPresent(why -> report(behind, equivalenceClass, why)));
    }

    private void report(QueueItem member, EquivalenceClass equivalenceClass, Unschedulable why) {
        reporter.report(member, explainer.of(member, equivalenceClass, why));
    }

    /**
     * Reports what a pod or claim itself lacks, after a short delay and only if it still does: for example, the claim of a new pod may be
     * seen only after the pod.
     */
    public void reportLater(QueueItem item, PendingReason reason) {
        reporter.reportLater(item, reason);
    }

    /** Does the same after the given delay. */
    public void reportAfter(QueueItem item, PendingReason reason, Duration delay) {
        reporter.reportAfter(item, reason, delay);
    }

    /** Thread-safe. */
    public Map<String, Integer> countByCode() {
        return reporter.countByCode();
    }

    /** The last explanation of why a pod or claim is pending; empty if there is none. */
    public Optional<PendingReason> reason(String uid) {
        return Optional.ofNullable(reporter.reason(uid));
    }

    public void forget(String uid) {
        reporter.forget(uid);
    }

    /** Reports that an attempt was interrupted, and so has no explanation. */
    public void report(QueueItem item, PendingReason interruption) {
        reporter.report(item, interruption);
    }

    /**
     * Computes the oldest missing explanation of the namespace whose turn it is, or a part of it if other work is waiting.
     *
     * @param turns the namespace with the smallest value is next
     * @param othersWait whether work is waiting that takes precedence over an explanation
     * @return the pod or claim that was explained; empty if there was nothing to explain
     */
    public Optional<QueueItem> explainNext(ToDoubleFunction<String> turns, BooleanSupplier othersWait) {
        pending.keySet().removeIf(each -> unexplained(each).isEmpty());
        Optional<EquivalenceClass> next = pending.keySet().stream()
                .min(Comparator.comparingDouble(each ->
                        turns.applyAsDouble(unexplained(each).orElseThrow().namespace())));
        Optional<QueueItem> first = next.flatMap(ExplanationQueue::unexplained);
        first.ifPresent(member -> explain(next.orElseThrow(), member, othersWait));
        return first;
    }

    private static Optional<QueueItem> unexplained(EquivalenceClass equivalenceClass) {
        return equivalenceClass.interruption() == null
                ? equivalenceClass.members().stream()
                        .filter(member -> !equivalenceClass.isExplained(member.namespace()))
                        .findFirst()
                : Optional.empty();
    }

    private void explain(EquivalenceClass equivalenceClass, QueueItem first, BooleanSupplier othersWait) {
        Tries before = pending.getOrDefault(equivalenceClass, Tries.NONE);
        ExplanationTurn turn = explainer.turn(before.turns(), othersWait);
        equivalenceClass.explain(first.namespace(), Optional.empty()); // no retry if the next line fails
        Optional<Unschedulable> explanation =
                log.timed(DecisionListener.Phase.EXPLANATION, () -> explainer.explain(first, turn));
        Tries after = after(before, turn);
        pending.put(equivalenceClass, after);
        if (after.equals(Tries.NONE)) {
            report(equivalenceClass, first.namespace(), explanation);
        } else {
            equivalenceClass.forgetExplanation(first.namespace());
        }
    }

    /** Returns zero tries if the explanation counts. */
    private static Tries after(Tries before, ExplanationTurn turn) {
        if (turn.isOver()) {
            return new Tries(before.turns() + 1, before.cuts());
        }
        return turn.isCut() && before.cuts() < MAX_CUTS ? new Tries(0, before.cuts() + 1) : Tries.NONE;
    }

    private void report(EquivalenceClass equivalenceClass, String namespace, Optional<Unschedulable> explanation) {
        equivalenceClass.explain(namespace, explanation);
        List<QueueItem> members = equivalenceClass.members().stream()
                .filter(member -> member.namespace().equals(namespace))
                .toList();
        explanation.ifPresent(why -> members.forEach(member -> report(member, equivalenceClass, why)));
    }
}
