package dev.fakegpu.problem;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.GroupPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The names of features in problems: those of the fields of {@code structured.Features} upstream. */
final class FeatureNames {

    private static final String COMPATIBILITY_GROUPS = "CompatibilityGroups";

    private static final Map<String, Feature> BY_NAME =
            Feature.all().stream().collect(Collectors.toMap(Feature::upstreamName, Function.identity()));

    private FeatureNames() {}

    /** The first name, by the alphabet, that is none of the features. */
    static Optional<String> unknown(Set<String> names) {
        return names.stream()
                .filter(name -> !name.equals(COMPATIBILITY_GROUPS) && !BY_NAME.containsKey(name))
                .sorted()
                .findFirst();
    }

    /** The options of an allocator that goes by what is in the slices, as upstream's does. */
    static AllocatorOptions options(Set<String> on, boolean all) {
        Gate groups = all || on.contains(COMPATIBILITY_GROUPS) ? Gate.ON : Gate.OFF;
        Set<Feature> features = all
                ? Feature.all()
                : on.stream().filter(BY_NAME::containsKey).map(BY_NAME::get).collect(Collectors.toSet());
        return new AllocatorOptions(features, groups, GroupPolicy.LIVE, List.of(), () -> Solver.SHARE_ID);
    }
}
