package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Phrases;
import dev.fakegpu.engine.explain.finding.Reason;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Devices that another allocator allocates.
 *
 * @param allocator as {@code spec.allocator} of their FakeGpus names it
 * @param drivers of the FakeGpus with such devices for a node, by name
 */
public record OtherDevices(String allocator, Function<NodeInfo, SortedMap<String, String>> drivers) {

    /** Where there are none, or nobody knows. */
    public static final OtherDevices NONE = new OtherDevices("", node -> Collections.emptySortedMap());

    /** FakeGpus with such devices for a node that may be meant. */
    public SortedSet<String> fakeGpus(NodeInfo node, AskedDrivers asked) {
        var names = new TreeSet<String>();
        drivers.apply(node).forEach((fakeGpu, driver) -> {
            if (asked.include(driver)) {
                names.add(fakeGpu);
            }
        });
        return names;
    }

    /** What to say of a node without devices. */
    Optional<Finding.PoolProblem> problem(NodeInfo node, AskedDrivers asked, long found) {
        SortedSet<String> there = fakeGpus(node, asked);
        return there.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Finding.PoolProblem(Reason.NoDevices, Phrases.onlyOthers(found, there, allocator), null));
    }
}
