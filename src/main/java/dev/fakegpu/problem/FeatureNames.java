package dev.fakegpu.problem;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.GroupPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The names of features in problems: those of the fields of {@code structured.Features} upstream. */
final class FeatureNames {

    private static final String COMPATIBILITY_GROUPS = "CompatibilityGroups";

    private static final Set<String> KNOWN = Set.of(
            "AdminAccess",
            COMPATIBILITY_GROUPS,
            "ConsumableCapacity",
            "DerivedAttributes",
            "DeviceBindingAndStatus",
            "DeviceTaints",
            "FractionalCapacityRange",
            "ListTypeAttributes",
            "OptionalNodeOperations",
            "PartitionableDevices",
            "PrioritizedList");

    private FeatureNames() {}

    /** The first name, by the alphabet, that is none of the features. */
    static Optional<String> unknown(Set<String> names) {
        return names.stream().filter(name -> !KNOWN.contains(name)).sorted().findFirst();
    }

    /** The options of an allocator that goes by what is in the slices, as upstream's does. */
    static AllocatorOptions options(Set<String> on, boolean all) {
        Gate groups = all || on.contains(COMPATIBILITY_GROUPS) ? Gate.ON : Gate.OFF;
        return new AllocatorOptions(groups, GroupPolicy.LIVE, List.of());
    }
}
