package dev.fakegpu.hardware.catalog;

import java.util.List;
import java.util.Optional;

/**
 * How MIG divides a model.
 *
 * @param memorySlices the number of memory slices of a GPU
 * @param computeSlices the number of compute slices of a GPU; seven on GPUs with eight memory slices
 * @param profiles the profiles in NVIDIA's order, from small to large
 */
public record MigTable(Provenance provenance, int memorySlices, int computeSlices, List<MigProfile> profiles) {

    /**
     * The maximum number of memory slices. Together with engines, memory and framebuffer, they make at most 32 counters, the limit of a
     * counter set.
     */
    private static final int MAX_MEMORY_SLICES = 24;

    private static final int MAX_PROFILES = 64;

    public MigTable {
        profiles = List.copyOf(profiles);
        Invalid.when(profiles.isEmpty() || profiles.size() > MAX_PROFILES, "%d MIG profiles", profiles.size());
        Invalid.when(
                memorySlices < 1 || memorySlices > MAX_MEMORY_SLICES,
                "%d memory slices, 1 to %d are possible",
                memorySlices,
                MAX_MEMORY_SLICES);
        Invalid.when(repeats(profiles.stream().map(MigProfile::name).toList()), "a MIG profile name occurs twice");
        Invalid.when(
                repeats(profiles.stream().map(MigProfile::giProfileId).toList()),
                "a GPU instance profile ID occurs twice");
        for (MigProfile profile : profiles) {
            Invalid.when(
                    profile.computeSlices() > computeSlices,
                    "MIG profile %s takes more than the GPU's %d compute slices",
                    profile.name(),
                    computeSlices);
            for (MigPlacement placement : profile.possiblePlacements()) {
                Invalid.when(
                        placement.start() < 0 || placement.start() + placement.size() > memorySlices,
                        "MIG profile %s: placement %d:%d is outside of the GPU's %d memory slices",
                        profile.name(),
                        placement.start(),
                        placement.size(),
                        memorySlices);
            }
        }
    }

    private static boolean repeats(List<?> values) {
        return values.stream().distinct().count() < values.size();
    }

    public Optional<MigProfile> profile(String name) {
        return profiles.stream().filter(profile -> profile.name().equals(name)).findFirst();
    }

    /**
     * The capacity of the GPU for MIG: the maximum over all profiles, as NVIDIA's DRA driver computes it
     * ({@code inspectMigProfilesAndPlacements} in {@code cmd/gpu-kubelet-plugin/nvlib.go}). It is less than the physical memory.
     */
    public MigCapacity total() {
        return profiles.stream().map(MigProfile::capacity).reduce(MigCapacity.NONE, MigCapacity::max);
    }
}
