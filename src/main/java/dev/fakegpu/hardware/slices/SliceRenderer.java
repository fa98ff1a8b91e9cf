package dev.fakegpu.hardware.slices;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.InventoryPlan;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Renders the slices of FakeGpus that the operator would publish to an API server that keeps every field. */
public final class SliceRenderer {

    private final InventoryPlanner planner;

    public SliceRenderer(InventoryPlanner planner) {
        this.planner = planner;
    }

    /**
     * The problems for which the operator would reject the FakeGpu, and problems of {@code spec.nodes} that only the schema of the CRD
     * finds.
     */
    public List<SpecProblem> check(String fakeGpuName, FakeGpuSpec spec) {
        var problems = new ArrayList<>(planner.check(spec, fakeGpuName));
        long alternatives = alternatives(spec.nodes());
        if (alternatives != 1) {
            problems.add(new SpecProblem(
                    "spec.nodes",
                    alternatives == 0 ? "" : Long.toString(alternatives),
                    alternatives == 0 ? "is missing" : "is the number of answers to where the GPUs are",
                    "exactly one of names, selector, simulated, all and nodeSelector"));
        }
        return List.copyOf(problems);
    }

    /** The number of alternative fields of {@code spec.nodes} that are set. */
    private static long alternatives(@Nullable NodesSpec nodes) {
        return nodes == null
                ? 0
                : Stream.of(
                                !nodes.names().isEmpty(),
                                nodes.selector() != null,
                                nodes.simulated() != null,
                                nodes.all() != null,
                                nodes.nodeSelector() != null)
                        .filter(set -> set)
                        .count();
    }

    /**
     * The slices, in the order in which an allocator tries them.
     *
     * @param spec a spec that {@link #check} accepts
     */
    public List<Slice> slices(String fakeGpuName, FakeGpuSpec spec, PoolLocations locations) {
        InventoryPlan plan = planner.plan(spec, fakeGpuName);
        return locations.nodes().stream()
                .map(nodes -> PoolTarget.of(spec, fakeGpuName, nodes))
                .flatMap(target ->
                        PoolLayout.slices(target, plan.on(target.nodeName()).published(spec)).stream())
                .toList();
    }
}
