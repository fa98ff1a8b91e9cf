package dev.fakegpu.inventory;

import dev.fakegpu.api.CompatibilityGroupsSpec.Names;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The ways to use a GPU of a model that exclude one another, with the groups that NVIDIA's vGPU design gives them
 * ({@code docs/design/vgpu-support.md} there). Equal-size vGPUs exclude one another by size, so their group is this one and the type.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions are record accessors
enum Scheme {
    WHOLE("gpu-full", Names::whole),
    MIG("mig", Names::mig),
    VGPU("vgpu", Names::vgpu),
    MIG_BACKED_VGPU("vgpu-mig", Names::migBackedVgpu),
    VFIO("vfio", Names::vfio);

    private final String group;
    private final Function<Names, List<String>> named;

    Scheme(String group, Function<Names, List<String>> named) {
        this.group = group;
        this.named = named;
    }

    String group() {
        return group;
    }

    /** The groups that take the place of the scheme's own. */
    List<String> named(Names names) {
        return named.apply(names);
    }

    /** Equal-size vGPUs of one type, for example {@code vgpu-10c}. */
    static String equalSizeGroup(String slug) {
        return VGPU.group + "-" + slug;
    }

    /** The groups of a model's device under the user's names for their scheme; without groups it has none to exchange. */
    static List<String> rename(List<String> groups, Names names) {
        return groups.stream()
                .flatMap(group -> ofGroup(group).named(names).stream())
                .toList();
    }

    private static Scheme ofGroup(String group) {
        return Arrays.stream(values())
                .filter(scheme -> scheme.group.equals(group))
                .findFirst()
                .orElse(VGPU);
    }
}
