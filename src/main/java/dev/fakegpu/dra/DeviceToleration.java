package dev.fakegpu.dra;

import org.jspecify.annotations.Nullable;

/**
 * A toleration of device taints. An empty key or effect matches all.
 *
 * @param operator {@code Equal} or {@code Exists}; any other operator tolerates nothing
 * @param tolerationSeconds matters only for eviction; copied to the allocation result
 */
public record DeviceToleration(
        String key,
        String operator,
        String value,
        String effect,
        @Nullable Long tolerationSeconds) {

    /** Whether the toleration matches the taint. Upstream: {@code k8s.io/dynamic-resource-allocation/resourceclaim/devicetoleration.go}. */
    public boolean tolerates(DeviceTaint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return toleratesValue(taint);
    }

    /**
     * Whether the toleration matches the taint's key, and only one of two things keeps it from tolerating the taint: the effect, or the
     * operator and value.
     */
    public boolean almostTolerates(DeviceTaint taint) {
        boolean hasEffect = effect.isEmpty() || effect.equals(taint.effect());
        boolean hasKey = key.equals(taint.key()) || (key.isEmpty() && hasEffect);
        return hasKey && hasEffect != toleratesValue(taint);
    }

    private boolean toleratesValue(DeviceTaint taint) {
        return switch (operator) {
            case "", "Equal" -> value.equals(taint.value());
            case "Exists" -> true;
            default -> false;
        };
    }
}
