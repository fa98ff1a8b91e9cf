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
     * @param defaultValue what a request consumes if it does not specify an amount; null means the total
     * @param validValues the only valid amounts, ascending; empty if amounts are not listed
     * @param validRange the range of valid amounts; null if there is none
     */
    public record RequestPolicy(
            @Nullable Quantity defaultValue,
            List<Quantity> validValues,
            @Nullable Range validRange) {
        public RequestPolicy {
            validValues = List.copyOf(validValues);
        }
    }

    /** Amounts from {@code min} to {@code max} in steps of {@code step}; null means no limit. */
    public record Range(
            @Nullable Quantity min,
            @Nullable Quantity max,
            @Nullable Quantity step) {}

    /** A capacity without a policy. */
    public static DeviceCapacity of(Quantity value) {
        return new DeviceCapacity(value, null);
    }
}
