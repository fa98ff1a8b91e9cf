package dev.fakegpu.cluster.check;

/** The subject of a rule. */
public enum Scope {
    /** One ResourceSlice by itself. */
    SLICE,
    /** All ResourceSlices of a pool or driver. */
    POOL,
    /** A DeviceClass. */
    CLASS,
    /** Objects that users create: claims, pods, workloads and others. */
    OBJECT;

    @Override
    public String toString() {
        return switch (this) {
            case SLICE -> "slice";
            case POOL -> "pool";
            case CLASS -> "class";
            case OBJECT -> "object";
        };
    }
}
