package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.dra.PoolId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A physical GPU.
 *
 * @param identity what its labels say
 * @param range between which values its power, temperature and clocks move
 * @param entities what dcgm-exporter has samples of: the GPU, or if partitions of it are in use, each of them
 */
public record DcgmGpu(
        Identity identity,
        long memoryMiB,
        LoadSpec load,
        OperatingRange range,
        Errors errors,
        Mode mode,
        List<Entity> entities) {

    /** How a GPU is used: the kind of the devices that are held. */
    public enum Mode {
        IDLE,
        WHOLE,
        SHARED,
        MIG,
        VGPU,
        VFIO,
        /** Devices of several kinds are held, which do not go together. */
        CONFLICT
    }

    /**
     * @param index on its node
     * @param hostname its node; empty if it belongs to no single node
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
     * @param xid the last XID error; 0 if there was none
     * @param lost whether it has fallen off the bus, so that nothing but its error can be read
     */
    public record Errors(int xid, boolean lost) {}

    /**
     * A GPU, or a MIG instance or vGPU in use.
     *
     * @param device its name in the pool
     * @param memoryMiB its own
     * @param mig null if it is not a MIG instance
     * @param vgpu which vGPU of the GPU it is; empty if it is none
     * @param busy whether a pod that runs holds it
     * @param holder who holds it; null if nobody does, or if names are not to be told
     */
    public record Entity(
            String device,
            long memoryMiB,
            @Nullable MigInstance mig,
            String vgpu,
            boolean busy,
            @Nullable Holder holder) {}

    /** @param id of the GPU instance, unique on its GPU */
    public record MigInstance(String profile, int id) {}

    public DcgmGpu {
        entities = List.copyOf(entities);
    }
}
