package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.problemfile.AllocationProblem;
import dev.fakegpu.engine.problemfile.ProblemGenerator;
import dev.fakegpu.engine.problemfile.ProblemReader;
import dev.fakegpu.engine.problemfile.UnreadableProblemException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A random problem, with the options that correspond to its list of features. */
record RandomProblem(long seed, NodeInfo node, ClusterState state, List<Claim> claims, AllocatorOptions options) {

    private static final String SHARE_ID = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa";

    static RandomProblem of(long seed) {
        try {
            AllocationProblem problem = ProblemReader.read(ProblemGenerator.generate(seed));
            return new RandomProblem(seed, problem.node(), problem.state(), problem.claims(), options(problem));
        } catch (UnreadableProblemException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Uses fixed share IDs instead of random ones, because answers are compared. */
    private static AllocatorOptions options(AllocationProblem problem) {
        Set<Feature> features = Arrays.stream(Feature.values())
                .filter(feature -> problem.features().contains(feature.upstreamName()))
                .collect(Collectors.toSet());
        GroupsGate groups = problem.features().contains("CompatibilityGroups") ? GroupsGate.ON : GroupsGate.OFF;
        return new AllocatorOptions(features, groups, GroupPolicy.LIVE, List.of(), () -> SHARE_ID);
    }

    RandomProblem withSlices(List<Slice> slices) {
        return new RandomProblem(
                seed, node, new ClusterState(slices, state.classes(), state.allocated()), claims, options);
    }

    boolean has(Feature feature) {
        return options.has(feature);
    }

    Map<String, DeviceClass> classes() {
        return state.classes();
    }

    Allocator allocator() {
        return new Allocator(AllocationContext.of(state, Hardware.SELECTORS, options));
    }

    Outcome solve() {
        return allocator().allocate(node, claims);
    }
}
