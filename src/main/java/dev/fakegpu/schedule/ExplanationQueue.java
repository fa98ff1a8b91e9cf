package dev.fakegpu.schedule;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Who waits for an explanation. One is worked out for all who want the same, when there is nothing to decide, and said only to those
 * who have not been told it yet. For one thread.
 */
final class ExplanationQueue {

    /** How an explanation is worked out, and how somebody is told. */
    interface Teller {

        /** Why the pod or claim waits; empty if that cannot be said any more. */
        Optional<String> explain(QueueItem item);

        void tell(QueueItem item, String explanation);

        /** @param isStillTrue asked when the delay is over */
        void tellLater(QueueItem item, String explanation, BooleanSupplier isStillTrue);
    }

    private final Teller teller;
    private final Set<EquivalenceClass> pending = new LinkedHashSet<>();
    private final Map<String, String> told = new ConcurrentHashMap<>();

    ExplanationQueue(Teller teller) {
        this.teller = teller;
    }

    /** Somebody joined a group, or the group was refused again. */
    void add(QueueItem item, EquivalenceClass group) {
        String known = group.explanation();
        if (known == null) {
            pending.add(group);
        } else {
            tell(item, known);
        }
    }

    /**
     * The one who waits for something of its own. What was not seen yet because its event is late, such as a claim made together
     * with its pod, should not be complained about.
     */
    void tellLater(QueueItem item, String explanation) {
        if (!explanation.equals(told.put(item.uid(), explanation))) {
            teller.tellLater(item, explanation, () -> explanation.equals(told.get(item.uid())));
        }
    }

    private void tell(QueueItem item, String explanation) {
        if (!explanation.equals(told.put(item.uid(), explanation))) {
            teller.tell(item, explanation);
        }
    }

    void forget(String uid) {
        told.remove(uid);
    }

    /** @return whether there was one to be worked out */
    boolean explainNext() {
        Iterator<EquivalenceClass> first = pending.iterator();
        if (!first.hasNext()) {
            return false;
        }
        EquivalenceClass group = first.next();
        first.remove();
        if (!group.members().isEmpty()) {
            teller.explain(group.members().first()).ifPresent(explanation -> {
                group.explain(explanation);
                group.members().forEach(member -> tell(member, explanation));
            });
        }
        return true;
    }
}
