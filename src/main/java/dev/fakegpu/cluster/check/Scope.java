package dev.fakegpu.cluster.check;

/** What a rule is about. */
public enum Scope {
    /** One ResourceSlice by itself. */
    SLICE,
    /** All ResourceSlices of a pool or driver together. */
    POOL,
    /** A DeviceClass. */
    CLASS,
    /** What users create: claims, pods, workloads and others. */
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
