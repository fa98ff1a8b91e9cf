package dev.fakegpu.hardware.inventory;

import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.NodeProfile;
import dev.fakegpu.hardware.catalog.Telemetry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What NVML knows about a whole GPU of a FakeGpu in addition to what is published. Its memory can be more than the published capacity
 * {@code memory}: if NVIDIA's driver offers MIG devices, it publishes the maximum over the MIG profiles.
 *
 * @param model null for hardware whose model is not known
 * @param machine null if the FakeGpu names none
 */
public record NvmlGpu(
        long publishedMiB,
        long reportedMiB,
        @Nullable GpuModel model,
        @Nullable NodeProfile machine) {

    /** For hardware whose model is not known: NVML reports what is published. */
    public static final NvmlGpu UNKNOWN = new NvmlGpu(0, 0, null, null);

    /** For hardware that is no GPU. */
    public static final NvmlGpu NONE = new NvmlGpu(-1, -1, null, null);

    NvmlGpu in(@Nullable NodeProfile named) {
        return new NvmlGpu(publishedMiB, reportedMiB, model, named);
    }

    /**
     * The memory that NVML reports. If another value is published than this model's, for example by an older version of the FakeGpu, NVML
     * reports that one.
     */
    public long reported(long published) {
        return published == publishedMiB ? reportedMiB : published;
    }

    /** The limits and idle readings of the model; null if they are not known. */
    public @Nullable Telemetry telemetry() {
        return model == null ? null : model.telemetry();
    }

    /** The MIG profiles of the model; empty if the model is not known. */
    public List<MigProfile> migProfiles() {
        return model == null || model.mig() == null ? List.of() : model.mig().profiles();
    }
}
