package dev.fakegpu.engine.problemfile;

import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names of features in problems: the fields of upstream's {@code structured.Features}. */
final class FeatureNames {

    /** A feature of upstream that is a {@link GroupsGate} here. */
    private static final String COMPATIBILITY_GROUPS = "CompatibilityGroups";

    /** The feature of KEP-5234, which upstream does not have. Here it is a {@link MixinsGate}. */
    private static final String MIXINS = "ResourceSliceMixins";

    /** The ID for all shares. IDs are normally random, so they are replaced to make answers comparable. */
    private static final String SHARE_ID = "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa";

    private FeatureNames() {}

    /** The first name, in alphabetical order, that is not a feature. */
    static Optional<String> unknown(Set<String> names) {
        Set<String> known = all();
        return names.stream().filter(name -> !known.contains(name)).sorted().findFirst();
    }

    /** The names of all features. */
    static Set<String> all() {
        return Stream.concat(
                        Stream.of(COMPATIBILITY_GROUPS, MIXINS),
                        Arrays.stream(Feature.values()).map(Feature::upstreamName))
                .collect(Collectors.toSet());
    }

    static MixinsGate mixins(Set<String> names) {
        return names.contains(MIXINS) ? MixinsGate.ON : MixinsGate.OFF;
    }

    /** The options with which the allocator behaves like upstream's. The groups of the current slices count. */
    static AllocatorOptions options(Set<String> names) {
        Set<Feature> features = Arrays.stream(Feature.values())
                .filter(feature -> names.contains(feature.upstreamName()))
                .collect(Collectors.toSet());
        GroupsGate groups = names.contains(COMPATIBILITY_GROUPS) ? GroupsGate.ON : GroupsGate.OFF;
        return new AllocatorOptions(features, groups, GroupPolicy.LIVE, List.of(), () -> SHARE_ID);
    }
}
