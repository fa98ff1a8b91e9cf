package dev.fakegpu.simulate.memory;

import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The versions of Kubernetes and their differences: the fields of ResourceSlices that the API server stores with all feature gates enabled.
 * Source: {@code k8s.io/api/resource/v1/types.go} of each version.
 */
public enum KubernetesVersion {
    V1_34(34),
    V1_35(35),
    V1_36(36),
    V1_37(37);

    private final int minor;
    private final ServedFields fields;

    KubernetesVersion(int minor) {
        this.minor = minor;
        this.fields = new ServedFields(
                Stream.of(SliceField.values())
                        .filter(field -> !field.isIn(minor))
                        .collect(Collectors.toSet()),
                Set.of());
    }

    /** The minor version of Kubernetes 1. */
    int minor() {
        return minor;
    }

    public ServedFields fields() {
        return fields;
    }

    /** The version as text, such as {@code 1.37}. */
    @Override
    public String toString() {
        return "1." + minor;
    }
}
