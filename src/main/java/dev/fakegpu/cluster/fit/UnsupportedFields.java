package dev.fakegpu.cluster.fit;

/** What the companion does about pods with {@link PlacementFields}; the setting {@value #SETTING} of the operator's ConfigMap. */
public enum UnsupportedFields {
    /** They are not placed. */
    REFUSE,
    /** They are placed as if they did not have these fields. */
    IGNORE;

    public static final String SETTING = "companion.unsupported";
}
