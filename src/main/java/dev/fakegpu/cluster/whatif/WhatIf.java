package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import java.util.List;

/**
 * What changes would lead to.
 *
 * @param tried new and evicted pods, new claims, and what was asked about: highest priority first, then in the order of their creation,
 *     evicted ones last
 * @param refused pods that wait now, and would be placed without the changes, but not with them
 * @param helped pods that wait now, and would be placed with the changes, but not without them
 * @param assumed what had to be assumed about the schedulers that would decide
 * @param notes what else becomes of what is applied, such as changes of a FakeGpu that wait for devices to be released; sentences
 * @param unchanged the cluster as it would be without the changes, once its schedulers have decided
 * @param after the same with the changes
 */
public record WhatIf(
        List<Attempt> tried,
        List<Attempt> refused,
        List<Attempt> helped,
        List<Assumptions> assumed,
        List<String> notes,
        ClusterObjects unchanged,
        ClusterObjects after) {

    public WhatIf {
        tried = List.copyOf(tried);
        refused = List.copyOf(refused);
        helped = List.copyOf(helped);
        assumed = List.copyOf(assumed);
        notes = List.copyOf(notes);
    }

    /** Whether everything that was tried is placed, and no pod refused because of it. */
    public boolean isHarmless() {
        return refused.isEmpty() && tried.stream().allMatch(Attempt::isPlaced);
    }
}
