package dev.fakegpu.hardware.catalog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A time-sliced vGPU type of a model.
 *
 * @param name size in GB and series, without the GPU's name: {@code 4C}
 * @param framebufferMiB the framebuffer of one vGPU
 * @param typeId NVIDIA's vGPU type ID; null if unknown
 * @param provenance null if the source of this entry is that of the table
 */
public record VgpuType(
        String name,
        int framebufferMiB,
        MaxInstances maxInstances,
        @Nullable Integer typeId,
        @Nullable Provenance provenance) {

    public VgpuType {
        Invalid.when(!name.matches("[1-9]\\d{0,4}[ABCQ]"), "vGPU type \"%s\" is not named like 4C", name);
        Invalid.when(framebufferMiB <= 0, "vGPU type %s: framebuffer of %d MiB", name, framebufferMiB);
    }

    /** The name as part of a DNS label: {@code 4c}. */
    public String slug() {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * The maximum number of vGPUs on one GPU.
     *
     * @param equalSize the maximum if all vGPUs on the GPU have the same framebuffer size
     * @param mixedSize the maximum if sizes may differ; alignment makes it lower
     */
    public record MaxInstances(int equalSize, int mixedSize) {

        /** More than any GPU supports, and few enough for the pool of a node. */
        private static final int MAX = 256;

        public MaxInstances {
            Invalid.when(
                    mixedSize < 1 || mixedSize > equalSize || equalSize > MAX,
                    "%d instances in mixed-size mode, %d in equal-size mode; 1 to %d are possible, and no more in mixed-size mode",
                    mixedSize,
                    equalSize,
                    MAX);
        }
    }
}
