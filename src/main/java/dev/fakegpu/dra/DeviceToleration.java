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
        return switch (operator) {
            case "", "Equal" -> value.equals(taint.value());
            case "Exists" -> true;
            default -> false;
        };
    }
}
