package dev.fakegpu.cluster.quota;

/** What forbids a new object. Named as in the answer of {@code what-if}. */
public enum ForbiddenBy {
    /** A LimitRange. */
    LimitExceeded,
    /** A ResourceQuota. */
    QuotaExceeded
}
