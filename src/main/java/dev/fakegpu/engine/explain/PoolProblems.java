package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Phrases;
import dev.fakegpu.engine.explain.finding.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the pools that a node can access but whose devices cannot be used, if they could matter to a request. */
final class PoolProblems {
    private PoolProblems() {}

    /**
     * The problems, the most informative one first.
     *
     * @param concerned whether the devices of a driver matter to the request
     */
    static List<Finding.PoolProblem> of(HypotheticalState state, NodeInfo node, Predicate<String> concerned) {
        var problems = new ArrayList<Finding.PoolProblem>();
        for (Pool pool : state.context().slices().pools(node)) {
            if (!concerned.test(pool.id().driver())) {
                continue;
            }
            if (pool instanceof Pool.Invalid invalid) {
                problems.add(new Finding.PoolProblem(Reason.PoolInvalid, Phrases.invalidPool(invalid), null));
            } else if (pool instanceof Pool.Incomplete incomplete && incomplete.ignored() == 0) {
                problems.add(incomplete(state, incomplete));
            }
        }
        addLeftOut(problems, state, node, concerned);
        problems.sort(Comparator.comparing(Finding.PoolProblem::reason));
        return problems;
    }

    /**
     * A slice of the pool for another node that has a device of the same name. Devices are identified by driver, pool and name, so as soon
     * as one of the two is allocated, the other also counts as in use.
     */
    static Optional<Finding.PoolProblem> namesake(HypotheticalState state, NodeInfo node, DeviceId device) {
        return state.context().slices().slices(device.poolId()).stream()
                .filter(slice ->
                        slice.devices().stream().anyMatch(each -> each.name().equals(device.device())))
                .flatMap(slice -> slice.nodes() instanceof NodeSelection.NodeName other
                        ? Stream.of(other.name())
                        : Stream.<String>empty())
                .filter(other -> !other.equals(node.name()))
                .findFirst()
                .map(other -> new Finding.PoolProblem(Reason.PoolInvalid, Phrases.namesake(device, other), null));
    }

    private static Finding.PoolProblem incomplete(HypotheticalState state, Pool.Incomplete pool) {
        return state.context()
                .slices()
                .superseded(pool.id())
                .map(superseded -> new Finding.PoolProblem(
                        Reason.PoolIncomplete, Phrases.supersededPool(pool.id(), superseded), null, superseded.newer()))
                .orElseGet(
                        () -> new Finding.PoolProblem(Reason.PoolIncomplete, Phrases.incompletePool(pool), pool.id()));
    }

    private static void addLeftOut(
            List<Finding.PoolProblem> problems, HypotheticalState state, NodeInfo node, Predicate<String> concerned) {
        List<Slice> leftOut = state.context().slices().leftOut(node).stream()
                .filter(slice -> concerned.test(slice.pool().driver()))
                .toList();
        long withGroups = state.context().options().gate() == GroupsGate.OFF
                ? leftOut.stream().filter(Slice::usesCompatibilityGroups).count()
                : 0;
        if (withGroups > 0) {
            problems.add(new Finding.PoolProblem(Reason.GroupsIgnored, Phrases.slicesWithGroups(withGroups), null));
        }
        long others = leftOut.size() - withGroups;
        if (others > 0) {
            problems.add(new Finding.PoolProblem(Reason.FeatureOff, Phrases.slicesWithUnknownFeatures(others), null));
        }
    }
}
