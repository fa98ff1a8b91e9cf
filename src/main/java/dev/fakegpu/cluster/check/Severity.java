package dev.fakegpu.cluster.check;

/** The severity of a finding. */
public enum Severity {
    /** The API server refuses the object, or no allocator can use what it declares. */
    ERROR,
    /** It works, but probably not as intended. */
    WARNING;

    @Override
    public String toString() {
        return this == ERROR ? "error" : "warning";
    }
}
