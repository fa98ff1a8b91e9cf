package dev.fakegpu.hardware.catalog;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A MIG profile of a model.
 *
 * @param name NVIDIA's name: {@code <compute slices>g.<GB>gb}, with {@code +me} for the media engines; newer GPUs also have
 *     {@code +me.all}, {@code +gfx} and {@code -me}
 * @param giProfileId the GPU instance profile ID that {@code nvidia-smi mig -lgip} prints, not the NVML enumerator
 * @param maxInstances the maximum number of instances on one GPU
 * @param placements the possible positions of instances
 * @param capacity the capacity of an instance
 */
public record MigProfile(String name, int giProfileId, int maxInstances, Placements placements, MigCapacity capacity) {

    private static final Pattern NAME = Pattern.compile("([1-9])g\\.[1-9]\\d{0,4}gb(\\+me|\\+me\\.all|\\+gfx|-me)?");

    /** The number of compute slices by compute instance profile ID. */
    private static final List<Integer> COMPUTE_PROFILES = List.of(1, 2, 3, 4, 7, 8, 6);

    private static final int MAX_ID = 9999;

    public MigProfile {
        Invalid.when(!NAME.matcher(name).matches(), "MIG profile \"%s\" is not named like 1g.5gb or 1g.5gb+me", name);
        Invalid.when(
                giProfileId < 0 || giProfileId > MAX_ID,
                "MIG profile %s: GPU instance profile ID %d",
                name,
                giProfileId);
        Invalid.when(
                maxInstances < 1 || maxInstances > placements.starts.size(),
                "MIG profile %s: %d instances at most, but %d placements",
                name,
                maxInstances,
                placements.starts.size());
        Invalid.when(capacity.memoryMiB() <= 0, "MIG profile %s: memory of %d MiB", name, capacity.memoryMiB());
    }

    /** The number of compute slices that an instance takes: the number before {@code g}. */
    public int computeSlices() {
        Matcher parts = NAME.matcher(name);
        Invalid.when(!parts.matches(), "MIG profile \"%s\"", name);
        return Integer.parseInt(parts.group(1));
    }

    /**
     * The ID in {@code nvidia-smi mig -lcip} of the compute instance profile that takes the whole instance (NVML
     * {@code NVML_COMPUTE_INSTANCE_PROFILE_*}); empty if there is none for this number of slices.
     */
    public Optional<Integer> computeProfileId() {
        return Optional.of(COMPUTE_PROFILES.indexOf(computeSlices())).filter(id -> id >= 0);
    }

    /** The name as part of a DNS label: {@code 1g5gb-me} for {@code 1g.5gb+me}. */
    public String slug() {
        return name.replace(".", "").replace('+', '-');
    }

    /** All possible positions of an instance, in ascending order. */
    public List<MigPlacement> possiblePlacements() {
        return placements.starts.stream()
                .map(start -> new MigPlacement(start, placements.size))
                .toList();
    }

    /**
     * The placements of a profile, whose instances all take the same number of memory slices.
     *
     * @param size the number of memory slices per instance
     * @param starts the first slices, ascending
     */
    public record Placements(int size, List<Integer> starts) {

        public Placements {
            starts = List.copyOf(starts);
            Invalid.when(size < 1, "a placement of %d memory slices", size);
            Invalid.when(starts.stream().distinct().count() < starts.size(), "placements %s repeat", starts);
            Invalid.when(!starts.equals(starts.stream().sorted().toList()), "placements %s are not ascending", starts);
        }
    }
}
