package dev.fakegpu.cluster.fit;

/** How the companion treats pods with {@link PlacementFields}; the setting {@value #SETTING} of the operator's ConfigMap. */
public enum UnsupportedFields {
    /** It does not place them. */
    REFUSE,
    /** It places them as if they did not have these fields. */
    IGNORE;

    public static final String SETTING = "companion.unsupported";
}
