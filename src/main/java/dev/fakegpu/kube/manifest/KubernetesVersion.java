package dev.fakegpu.kube.manifest;

/** The versions of Kubernetes whose API servers are known. */
public enum KubernetesVersion {
    V1_34(34),
    V1_35(35),
    V1_36(36),
    V1_37(37);

    /** The version whose kinds and fields this program reads. */
    public static final KubernetesVersion NEWEST = V1_37;

    private final int minor;

    KubernetesVersion(int minor) {
        this.minor = minor;
    }

    /** The minor version of Kubernetes 1. */
    public int minor() {
        return minor;
    }

    /** The version as text, such as {@code 1.37}. */
    @Override
    public String toString() {
        return "1." + minor;
    }
}
