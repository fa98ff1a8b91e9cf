package dev.fakegpu.hardware.catalog;

/** The capacity of a MIG instance: memory in MiB, and the number of each other unit (NVML {@code nvmlGpuInstanceProfileInfo_t}). */
public record MigCapacity(
        int memoryMiB,
        int multiprocessors,
        int copyEngines,
        int decoders,
        int encoders,
        int jpegEngines,
        int ofaEngines) {

    public MigCapacity {
        Invalid.when(
                Math.min(
                                Math.min(Math.min(memoryMiB, multiprocessors), Math.min(copyEngines, decoders)),
                                Math.min(encoders, Math.min(jpegEngines, ofaEngines)))
                        < 0,
                "a MIG instance with less than nothing");
    }

    static final MigCapacity NONE = new MigCapacity(0, 0, 0, 0, 0, 0, 0);

    /** The maximum of each field. */
    MigCapacity max(MigCapacity other) {
        return new MigCapacity(
                Math.max(memoryMiB, other.memoryMiB),
                Math.max(multiprocessors, other.multiprocessors),
                Math.max(copyEngines, other.copyEngines),
                Math.max(decoders, other.decoders),
                Math.max(encoders, other.encoders),
                Math.max(jpegEngines, other.jpegEngines),
                Math.max(ofaEngines, other.ofaEngines));
    }
}
