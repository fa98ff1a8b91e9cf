package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import java.util.List;
import java.util.stream.Stream;

/**
 * The consequences of changes.
 *
 * @param tried new and evicted pods, new claims, and the objects in question: highest priority first, then in the order of creation, with
 *     evicted ones last
 * @param refused pods that wait now, and would be placed without the changes, but not with them
 * @param helped pods that wait now, and would be placed with the changes, but not without them
 * @param lost pods that run now, and would be evicted or preempted with the changes, but not without them
 * @param assumed what had to be assumed about the schedulers that would decide
 * @param notes what else becomes of what is applied, such as changes of a FakeGpu that wait for devices to be released; sentences
 * @param unchanged the cluster as it would be without the changes, once its schedulers have decided
 * @param after the same with the changes
 */
public record WhatIf(
        List<Attempt> tried,
        List<Attempt> refused,
        List<Attempt> helped,
        List<Attempt> lost,
        List<Assumptions> assumed,
        List<String> notes,
        ClusterObjects unchanged,
        ClusterObjects after) {

    public WhatIf {
        tried = List.copyOf(tried);
        refused = List.copyOf(refused);
        helped = List.copyOf(helped);
        lost = List.copyOf(lost);
        assumed = List.copyOf(assumed);
        notes = List.copyOf(notes);
    }

    /** Whether everything that was tried is placed, and no pod waits or goes because of it. */
    public boolean isHarmless() {
        return refused.isEmpty() && lost.isEmpty() && tried.stream().allMatch(Attempt::isPlaced);
    }

    /** What is said of each pod and claim, in the order in which it is said. */
    public Stream<Attempt> all() {
        return Stream.of(tried, lost, refused, helped).flatMap(List::stream);
    }
}
