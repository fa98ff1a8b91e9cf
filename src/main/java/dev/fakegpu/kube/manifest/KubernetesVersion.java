package dev.fakegpu.kube.manifest;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /**
     * The version that is nearest to another one.
     *
     * @param minor as API servers report it, such as {@code 37} or {@code 37+}
     * @return empty if these are not numbers
     */
    public static Optional<KubernetesVersion> nearest(@Nullable String major, @Nullable String minor) {
        if (!"1".equals(major) || minor == null || !minor.matches("\\d{1,4}\\D*")) {
            return Optional.empty();
        }
        int number = Integer.parseInt(minor.replaceAll("\\D.*", ""));
        return Arrays.stream(values()).min(Comparator.comparing(version -> Math.abs(version.minor - number)));
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
