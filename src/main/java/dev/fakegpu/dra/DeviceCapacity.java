package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much a device has of something, and in which portions it is handed out (KEP-5075).
 *
 * @param value all there is
 * @param requestPolicy which portions can be had; null where any can
 */
public record DeviceCapacity(Quantity value, @Nullable RequestPolicy requestPolicy) {

    /**
     * The portions of a capacity ({@code resource.k8s.io/v1} CapacityRequestPolicy).
     *
     * @param defaultValue what a request consumes that does not say how much; null stands for everything
     * @param validValues the only portions, in rising order; empty where they are not listed
     * @param validRange the range of the portions, or null
     */
    public record RequestPolicy(
            @Nullable Quantity defaultValue,
            List<Quantity> validValues,
            @Nullable Range validRange) {
        public RequestPolicy {
            validValues = List.copyOf(validValues);
        }
    }

    /** From {@code min} in steps of {@code step} up to {@code max}; null means that there is no such limit. */
    public record Range(
            @Nullable Quantity min,
            @Nullable Quantity max,
            @Nullable Quantity step) {}

    /** A capacity without a policy. */
    public static DeviceCapacity of(Quantity value) {
        return new DeviceCapacity(value, null);
    }
}
