package dev.fakegpu.cluster.check;

/** How bad a finding is. */
public enum Severity {
    /** The API server refuses the object, or no allocator can use what it declares. */
    ERROR,
    /** It works, but hardly as intended. */
    WARNING;

    @Override
    public String toString() {
        return this == ERROR ? "error" : "warning";
    }
}
