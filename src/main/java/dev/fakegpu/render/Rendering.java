package dev.fakegpu.render;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.inventory.InventoryPlan;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.inventory.SpecProblem;
import dev.fakegpu.slices.PoolLayout;
import dev.fakegpu.slices.PoolTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the slices of FakeGpus just as the operator does, for an API server that serves every field. */
public final class Rendering {

    private final InventoryPlanner planner;

    public Rendering(InventoryPlanner planner) {
        this.planner = planner;
    }

    /** What the operator would refuse the FakeGpu for; also what only the CRD's schema says about nodes. */
    public List<SpecProblem> check(String fakeGpuName, FakeGpuSpec spec) {
        var problems = new ArrayList<>(planner.check(spec, fakeGpuName));
        long ways = ways(spec.nodes());
        if (ways != 1) {
            problems.add(new SpecProblem(
                    "spec.nodes",
                    ways == 0 ? "" : Long.toString(ways),
                    ways == 0 ? "is missing" : "is the number of answers to where the GPUs are",
                    "exactly one of names, selector, simulated, all and nodeSelector"));
        }
        return List.copyOf(problems);
    }

    private static long ways(@Nullable NodesSpec nodes) {
        return nodes == null
                ? 0
                : Stream.of(
                                !nodes.names().isEmpty(),
                                nodes.selector() != null,
                                nodes.simulated() != null,
                                nodes.all() != null,
                                nodes.nodeSelector() != null)
                        .filter(said -> said)
                        .count();
    }

    /**
     * The slices in the order in which an allocator tries them.
     *
     * @param spec one that {@link #check} accepts
     */
    public List<Slice> slices(String fakeGpuName, FakeGpuSpec spec, Places places) {
        InventoryPlan plan = planner.plan(spec, fakeGpuName);
        return places.nodes().stream()
                .map(nodes -> PoolTarget.of(spec, fakeGpuName, nodes))
                .flatMap(target ->
                        PoolLayout.slices(target, plan.on(target.nodeName()).published(spec)).stream())
                .toList();
    }
}
