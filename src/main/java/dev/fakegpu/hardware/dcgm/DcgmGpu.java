package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.dra.PoolId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A physical GPU.
 *
 * @param identity the values of its labels
 * @param range the ranges of its power, temperature and clocks
 * @param entities the entities for which dcgm-exporter has samples: the GPU, or each of its partitions in use
 */
public record DcgmGpu(
        Identity identity,
        long memoryMiB,
        LoadSpec load,
        OperatingRange range,
        Errors errors,
        Mode mode,
        List<Entity> entities) {

    /** How a GPU is used, by the kind of the devices that are held. */
    public enum Mode {
        IDLE,
        WHOLE,
        SHARED,
        MIG,
        VGPU,
        VFIO,
        /** Devices of several kinds are held that exclude each other. */
        CONFLICT
    }

    /**
     * The identity of a GPU.
     *
     * @param index its index on the node
     * @param hostname the name of its node; empty if it does not belong to a single node
     * @param driverVersion empty if no device has it
     */
    public record Identity(
            PoolId pool,
            int index,
            String uuid,
            String pciBusId,
            String modelName,
            String hostname,
            String driverVersion) {}

    /**
     * The errors of a GPU.
     *
     * @param xid the last XID error; 0 if there was none
     * @param lost whether the GPU has fallen off the bus, so that only its error can be read
     */
    public record Errors(int xid, boolean lost) {}

    /**
     * A GPU, or a MIG instance or vGPU in use.
     *
     * @param device its name in the pool
     * @param memoryMiB its own memory
     * @param mig null if it is not a MIG instance
     * @param vgpu identifies the vGPU on its GPU; empty if it is not a vGPU
     * @param busy whether a running pod holds it
     * @param holder null if it is not held, or if names must not be shown
     */
    public record Entity(
            String device,
            long memoryMiB,
            @Nullable MigInstance mig,
            String vgpu,
            boolean busy,
            @Nullable Holder holder) {}

    /** @param id the ID of the GPU instance, unique on its GPU */
    public record MigInstance(String profile, int id) {}

    public DcgmGpu {
        entities = List.copyOf(entities);
    }
}
