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
 * The equivalence classes whose last refusal has not been explained yet to all members. One explanation is worked out for the members in a
 * namespace while no item is ready to be scheduled, and reported on each of them where it is new. Not thread-safe.
 */
public final class ExplanationQueue {

    /** An explanation that took too long is worked out so many times more: nothing is compiled yet in a process that has just started. */
    static final int MAX_CUTS = 3;

    private final UnschedulableExplainer explainer;
    private final StatusReporter reporter;
    private final DecisionLog log;

    /** With what the explanation which comes next has had. */
    private final Map<EquivalenceClass, Tries> pending = new LinkedHashMap<>();

    /**
     * What an explanation has had.
     *
     * @param turns in which it gave way to others
     * @param cuts how often it took as long as it may
     */
    private record Tries(int turns, int cuts) {
        static final Tries NONE = new Tries(0, 0);
    }

    public ExplanationQueue(UnschedulableExplainer explainer, StatusReporter reporter, DecisionLog log) {
        this.explainer = explainer;
        this.reporter = reporter;
        this.log = log;
    }

    /** The class has a new member, or was refused again. */
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

    /** What holds devices has changed, but not which devices are held. */
    public void holdersChanged(Collection<EquivalenceClass> all) {
        all.stream().filter(EquivalenceClass::forgetReleases).forEach(each -> pending.putIfAbsent(each, Tries.NONE));
    }

    /** The new member is before others, which happens if its priority is higher. */
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
     * Reports what a pod or claim itself lacks, after a short delay and only if it is still true: a claim created with its pod, for
     * example, may only be seen after the pod.
     */
    public void reportLater(QueueItem item, PendingReason reason) {
        reporter.reportLater(item, reason);
    }

    /** The same after a delay of the caller's choice. */
    public void reportAfter(QueueItem item, PendingReason reason, Duration delay) {
        reporter.reportAfter(item, reason, delay);
    }

    /** Thread-safe. */
    public Map<String, Integer> countByCode() {
        return reporter.countByCode();
    }

    /** Why a pod or claim is pending, as last worked out; empty if that is not known. */
    public Optional<PendingReason> reason(String uid) {
        return Optional.ofNullable(reporter.reason(uid));
    }

    public void forget(String uid) {
        reporter.forget(uid);
    }

    /** Reports why an attempt has no explanation: it was interrupted. */
    public void report(QueueItem item, PendingReason interruption) {
        reporter.report(item, interruption);
    }

    /**
     * Works out the oldest missing explanation of the namespace whose turn it is, or a part of it if others wait.
     *
     * @param turns the namespace with the smallest number is next
     * @param othersWait whether there is something to do that should not wait for an explanation
     * @return for which pod or claim; empty if there was nothing to explain
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
        equivalenceClass.explain(first.namespace(), Optional.empty()); // not again if the next line fails
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

    /** None if the explanation counts. */
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
