package dev.fakegpu.explain;

import dev.fakegpu.allocate.GroupsGate;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.Pool;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is wrong with the pools that a node sees. */
final class PoolProblems {
    private PoolProblems() {}

    /** Most telling first. */
    static List<Finding.PoolProblem> of(HypotheticalState world, NodeInfo node) {
        var problems = new ArrayList<Finding.PoolProblem>();
        for (Pool pool : world.slices().pools(node)) {
            if (pool instanceof Pool.Invalid invalid) {
                problems.add(new Finding.PoolProblem(
                        Reason.PoolInvalid, "pool " + invalid.id() + " is invalid: " + invalid.reason(), null));
            } else if (pool instanceof Pool.Incomplete incomplete && incomplete.ignored() == 0) {
                problems.add(incomplete(incomplete));
            }
        }
        addLeftOut(problems, world, node);
        problems.sort(Comparator.comparing(Finding.PoolProblem::reason));
        return problems;
    }

    /** Without numbers, so that a pool that is being written slice by slice is one event and not many. */
    private static Finding.PoolProblem incomplete(Pool.Incomplete pool) {
        return new Finding.PoolProblem(
                Reason.PoolIncomplete,
                "pool " + pool.id() + " is being updated: not all of its slices are there yet",
                pool.id());
    }

    private static void addLeftOut(List<Finding.PoolProblem> problems, HypotheticalState world, NodeInfo node) {
        List<Slice> leftOut = world.slices().leftOut(node);
        long withGroups = world.options().gate() == GroupsGate.OFF
                ? leftOut.stream().filter(Slice::usesCompatibilityGroups).count()
                : 0;
        if (withGroups > 0) {
            problems.add(new Finding.PoolProblem(
                    Reason.GroupsIgnored,
                    (withGroups == 1 ? "1 slice uses" : withGroups + " slices use")
                            + " compatibility groups, and with the gate off their pools are left alone",
                    null));
        }
        long others = leftOut.size() - withGroups;
        if (others > 0) {
            problems.add(new Finding.PoolProblem(
                    Reason.FeatureOff,
                    (others == 1 ? "1 slice uses" : others + " slices use")
                            + " shared counters or nodes per device, and with the feature off "
                            + (others == 1 ? "it is" : "they are") + " left alone",
                    null));
        }
    }
}
