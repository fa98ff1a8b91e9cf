package dev.fakegpu.dra;

import org.jspecify.annotations.Nullable;

/**
 * What a request tolerates. An empty key or effect matches all.
 *
 * @param operator {@code Equal} or {@code Exists}; anything else tolerates nothing
 * @param tolerationSeconds only matters for eviction; copied to the allocation result
 */
public record DeviceToleration(
        String key,
        String operator,
        String value,
        String effect,
        @Nullable Long tolerationSeconds) {

    /** Upstream: {@code k8s.io/dynamic-resource-allocation/resourceclaim/devicetoleration.go}. */
    public boolean tolerates(DeviceTaint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return toleratesValue(taint);
    }

    /** Whether only the effect keeps it from tolerating the taint, or only the operator and value do. */
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
