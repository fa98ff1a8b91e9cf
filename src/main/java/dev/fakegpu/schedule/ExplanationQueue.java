package dev.fakegpu.schedule;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The equivalence classes whose last refusal has not been explained yet. One explanation is worked out for each class while no item is
 * ready to be scheduled, and reported on each member where it is new. Not thread-safe.
 */
final class ExplanationQueue {

    private final UnschedulableExplainer explainer;
    private final StatusReporter reporter;
    private final Set<EquivalenceClass> pending = new LinkedHashSet<>();

    ExplanationQueue(UnschedulableExplainer explainer, StatusReporter reporter) {
        this.explainer = explainer;
        this.reporter = reporter;
    }

    /** The class has a new member, or was refused again. */
    void add(QueueItem item, EquivalenceClass equivalenceClass) {
        String known = equivalenceClass.explanation();
        if (known == null) {
            pending.add(equivalenceClass);
        } else {
            reporter.report(item, known);
        }
    }

    /**
     * Reports what a pod or claim itself lacks, after a short delay and only if it is still true: a claim created with its pod, for
     * example, may only be seen after the pod.
     */
    void reportLater(QueueItem item, String explanation) {
        reporter.reportLater(item, explanation);
    }

    void forget(String uid) {
        reporter.forget(uid);
    }

    /** @return whether there was one to work out */
    boolean explainNext() {
        Iterator<EquivalenceClass> first = pending.iterator();
        if (!first.hasNext()) {
            return false;
        }
        EquivalenceClass equivalenceClass = first.next();
        first.remove();
        if (!equivalenceClass.members().isEmpty()) {
            explainer.explain(equivalenceClass.members().first()).ifPresent(explanation -> {
                equivalenceClass.explain(explanation);
                equivalenceClass.members().forEach(member -> reporter.report(member, explanation));
            });
        }
        return true;
    }
}
