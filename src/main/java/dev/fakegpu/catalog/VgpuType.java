package dev.fakegpu.catalog;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A time-sliced vGPU type of a model.
 *
 * @param name size in GB and series, without the GPU's name: {@code 4C}
 * @param framebufferMiB what one vGPU takes of the GPU's framebuffer
 * @param provenance where this entry deviates from the table's source
 */
public record VgpuType(
        String name,
        int framebufferMiB,
        MaxInstances maxInstances,
        @Nullable Provenance provenance) {

    public VgpuType {
        Invalid.when(!name.matches("[1-9]\\d*[ABCQ]"), "vGPU type \"%s\" is not named like 4C", name);
        Invalid.when(framebufferMiB <= 0, "vGPU type %s: framebuffer of %d MiB", name, framebufferMiB);
    }

    /** The name as a part of a DNS label: {@code 4c}. */
    public String slug() {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * How many fit on one GPU.
     *
     * @param equalSize while all vGPUs on it have the same framebuffer size
     * @param mixedSize while sizes may differ, which costs alignment
     */
    public record MaxInstances(int equalSize, int mixedSize) {

        public MaxInstances {
            Invalid.when(
                    mixedSize < 1 || mixedSize > equalSize,
                    "%d instances in mixed-size mode, %d in equal-size mode",
                    mixedSize,
                    equalSize);
        }
    }
}
