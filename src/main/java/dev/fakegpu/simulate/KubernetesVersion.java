package dev.fakegpu.simulate;

import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import java.util.Set;

/**
 * What versions of Kubernetes differ in: the fields of ResourceSlices that the API server keeps, with all feature gates on. Source: {@code
 * k8s.io/api/resource/v1/types.go} of each version.
 */
public enum KubernetesVersion {
    V1_34(
            "1.34",
            SliceField.COMPATIBILITY_GROUPS,
            SliceField.LIST_ATTRIBUTES,
            SliceField.PARTITION_TYPE,
            SliceField.SKIP_NODE_OPERATIONS),
    V1_35(
            "1.35",
            SliceField.COMPATIBILITY_GROUPS,
            SliceField.LIST_ATTRIBUTES,
            SliceField.PARTITION_TYPE,
            SliceField.SKIP_NODE_OPERATIONS),
    V1_36("1.36", SliceField.COMPATIBILITY_GROUPS, SliceField.PARTITION_TYPE, SliceField.SKIP_NODE_OPERATIONS),
    V1_37("1.37");

    private final String text;
    private final ServedFields fields;

    KubernetesVersion(String text, SliceField... unknown) {
        this.text = text;
        this.fields = new ServedFields(Set.of(unknown), Set.of());
    }

    ServedFields fields() {
        return fields;
    }

    /** Such as {@code 1.37}. */
    @Override
    public String toString() {
        return text;
    }
}
