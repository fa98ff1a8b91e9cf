package dev.fakegpu.hardware.catalog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A vGPU type whose vGPUs each use a MIG instance of their own.
 *
 * @param name compute slices, size in GB and series, without the GPU's name: {@code 1-5C}
 * @param migProfile the profile of the instance
 * @param framebufferMiB the framebuffer of one vGPU
 * @param maxInstances the maximum number of vGPUs on one GPU
 * @param typeId NVIDIA's vGPU type ID; null if unknown
 * @param provenance null if the source of this entry is that of the table
 */
public record MigBackedVgpuType(
        String name,
        String migProfile,
        int framebufferMiB,
        int maxInstances,
        @Nullable Integer typeId,
        @Nullable Provenance provenance) {

    public MigBackedVgpuType {
        Invalid.when(
                !name.matches("[1-9]-[1-9]\\d{0,4}[ABCQ](ME|NOME|MEALL|GFX)?"),
                "MIG-backed vGPU type \"%s\" is not named like 1-5C",
                name);
        Invalid.when(framebufferMiB <= 0, "MIG-backed vGPU type %s: framebuffer of %d MiB", name, framebufferMiB);
        Invalid.when(maxInstances < 1, "MIG-backed vGPU type %s: %d instances", name, maxInstances);
    }

    /** The name as part of a DNS label: {@code 1-5c}. It includes the compute slices, since A100-1-5C and A100-5C are different types. */
    public String slug() {
        return name.toLowerCase(Locale.ROOT);
    }
}
