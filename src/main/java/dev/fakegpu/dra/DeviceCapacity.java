package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capacity of a device, such as memory, and the amounts in which requests can consume it (KEP-5075).
 *
 * @param value the total
 * @param requestPolicy the amounts that can be consumed; null if there is no restriction
 */
public record DeviceCapacity(Quantity value, @Nullable RequestPolicy requestPolicy) {

    /**
     * The amounts of a capacity that can be consumed ({@code resource.k8s.io/v1} CapacityRequestPolicy).
     *
     * @param defaultValue the amount that a request without one consumes; null means the total
     * @param validValues the only amounts, ascending; empty if they are not listed
     * @param validRange the range of the amounts, or null
     */
    public record RequestPolicy(
            @Nullable Quantity defaultValue,
            List<Quantity> validValues,
            @Nullable Range validRange) {
        public RequestPolicy {
            validValues = List.copyOf(validValues);
        }
    }

    /** From {@code min} in steps of {@code step} up to {@code max}; null means no limit. */
    public record Range(
            @Nullable Quantity min,
            @Nullable Quantity max,
            @Nullable Quantity step) {}

    /** A capacity without a policy. */
    public static DeviceCapacity of(Quantity value) {
        return new DeviceCapacity(value, null);
    }
}
