package dev.fakegpu.hardware.inventory;

import dev.fakegpu.hardware.catalog.GpuModel;
import dev.fakegpu.hardware.catalog.MigProfile;
import dev.fakegpu.hardware.catalog.NodeProfile;
import dev.fakegpu.hardware.catalog.Telemetry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What NVML knows of a whole GPU of a FakeGpu, besides what is published. Its memory may be more than the capacity {@code memory} that is
 * published, because NVIDIA's driver publishes the maximum over the MIG profiles if it offers MIG devices.
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

    /** What NVML reports; the same if something else is published than for this model, such as by an older version of the FakeGpu. */
    public long reported(long published) {
        return published == publishedMiB ? reportedMiB : published;
    }

    /** The limits and idle readings of the model; null if they are not known. */
    public @Nullable Telemetry telemetry() {
        return model == null ? null : model.telemetry();
    }

    /** The MIG profiles of the model, without those of hardware whose model is not known. */
    public List<MigProfile> migProfiles() {
        return model == null || model.mig() == null ? List.of() : model.mig().profiles();
    }
}
