package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.allocate.NodeInfo;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;

/**
 * Devices that another allocator allocates.
 *
 * @param allocator as {@code spec.allocator} of their FakeGpus names it
 * @param fakeGpus with such devices for a node
 */
public record OtherDevices(String allocator, Function<NodeInfo, SortedSet<String>> fakeGpus) {

    /** Where there are none, or nobody knows. */
    public static final OtherDevices NONE = new OtherDevices("", node -> Collections.emptySortedSet());

    /** What to say of a node without devices. */
    Optional<Finding.PoolProblem> problem(NodeInfo node, long found) {
        SortedSet<String> there = fakeGpus.apply(node);
        return there.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Finding.PoolProblem(Reason.NoDevices, Phrases.onlyOthers(found, there, allocator), null));
    }
}
