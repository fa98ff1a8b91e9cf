package dev.fakegpu.cluster.quota;

/** The kind of object that forbids a new object. The names are those in the output of {@code what-if}. */
public enum ForbiddenBy {
    /** A LimitRange. */
    LimitExceeded,
    /** A ResourceQuota. */
    QuotaExceeded
}
