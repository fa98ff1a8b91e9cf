package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.CompatibilityGroupsSpec.Names;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The partitioning schemes: ways to use a GPU that exclude each other, with their groups in the vGPU design of NVIDIA's repository
 * ({@code docs/design/vgpu-support.md}). Equal-size vGPUs of different types exclude each other as well, so the type is part of their
 * group.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions are accessors of a record
enum PartitioningScheme {
    WHOLE("gpu-full", Names::whole),
    MIG("mig", Names::mig),
    VGPU("vgpu", Names::vgpu),
    MIG_BACKED_VGPU("vgpu-mig", Names::migBackedVgpu),
    VFIO("vfio", Names::vfio);

    private final String group;
    private final Function<Names, List<String>> named;

    PartitioningScheme(String group, Function<Names, List<String>> named) {
        this.group = group;
        this.named = named;
    }

    String group() {
        return group;
    }

    /** The user's groups, which replace the scheme's own. */
    List<String> groupsIn(Names names) {
        return named.apply(names);
    }

    /** The group of equal-size vGPUs of one type, such as {@code vgpu-10c}. */
    static String equalSizeGroup(String slug) {
        return VGPU.group + "-" + slug;
    }

    /** Replaces the groups of a model's device by the user's groups for its scheme. A device without groups gets none. */
    static List<String> rename(List<String> groups, Names names) {
        return groups.stream()
                .flatMap(group -> ofGroup(group).groupsIn(names).stream())
                .toList();
    }

    private static PartitioningScheme ofGroup(String group) {
        return Arrays.stream(values())
                .filter(scheme -> scheme.group.equals(group))
                .findFirst()
                .orElse(VGPU);
    }
}
