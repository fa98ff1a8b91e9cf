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
 * @param allocator the value of {@code spec.allocator} of their FakeGpus
 * @param drivers the drivers of the FakeGpus that have such devices for a node, by the name of the FakeGpu
 */
public record OtherDevices(String allocator, Function<NodeInfo, SortedMap<String, String>> drivers) {

    /** For cases without such devices, or if they are not known. */
    public static final OtherDevices NONE = new OtherDevices("", node -> Collections.emptySortedMap());

    /** The FakeGpus that have such devices for a node and could be meant. */
    public SortedSet<String> fakeGpus(NodeInfo node, AskedDrivers asked) {
        var names = new TreeSet<String>();
        drivers.apply(node).forEach((fakeGpu, driver) -> {
            if (asked.include(driver)) {
                names.add(fakeGpu);
            }
        });
        return names;
    }

    /** A phrase about a node without devices. */
    Optional<Finding.PoolProblem> problem(NodeInfo node, AskedDrivers asked, long found) {
        SortedSet<String> there = fakeGpus(node, asked);
        return there.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Finding.PoolProblem(Reason.NoDevices, Phrases.onlyOthers(found, there, allocator), null));
    }
}
