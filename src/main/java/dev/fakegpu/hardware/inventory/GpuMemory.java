package dev.fakegpu.hardware.inventory;

/**
 * The memory of a whole GPU of a model: what NVML reports may be more than the capacity {@code memory} that is published, because NVIDIA's
 * driver publishes the maximum over the MIG profiles if it offers MIG devices.
 */
public record GpuMemory(long publishedMiB, long reportedMiB) {

    /** For hardware whose model is not known: NVML reports what is published. */
    public static final GpuMemory AS_PUBLISHED = new GpuMemory(0, 0);

    /** What NVML reports; the same if something else is published than for this model, such as by an older version of the FakeGpu. */
    public long reported(long published) {
        return published == publishedMiB ? reportedMiB : published;
    }
}
