package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes what a request consumes of a device's capacities by the documentation of the API, without the allocator. */
final class SharePolicy {

    private static final int THOUSANDTHS = 3;

    private SharePolicy() {}

    /** @return null if the device does not offer the requested amount */
    static @Nullable Map<String, Quantity> portion(ExactRequest request, Device device, boolean fractional) {
        Map<String, Quantity> asked = request.capacity() == null ? Map.of() : request.capacity();
        if (!device.capacity().keySet().containsAll(asked.keySet())) {
            return null;
        }
        var portion = new HashMap<String, Quantity>();
        for (Map.Entry<String, DeviceCapacity> entry : device.capacity().entrySet()) {
            Quantity amount = portion(asked.get(entry.getKey()), entry.getValue(), fractional);
            if (amount == null) {
                return null;
            }
            portion.put(entry.getKey(), amount);
        }
        return portion;
    }

    private static @Nullable Quantity portion(@Nullable Quantity asked, DeviceCapacity capacity, boolean fractional) {
        DeviceCapacity.RequestPolicy policy = capacity.requestPolicy();
        Quantity byDefault = policy == null ? null : policy.defaultValue();
        if (policy == null) {
            return asked == null ? capacity.value() : asked;
        }
        if (asked == null && byDefault != null) {
            return byDefault;
        }
        Quantity amount = asked == null ? capacity.value() : asked;
        if (policy.validRange() == null) {
            return policy.validValues().isEmpty() ? amount : validValue(asked, amount, byDefault, policy.validValues());
        }
        Quantity inRange = asked == null ? amount : roundedUp(asked, policy.validRange(), fractional);
        return inRange.equals(byDefault) || isInRange(inRange, policy.validRange(), fractional) ? inRange : null;
    }

    private static @Nullable Quantity validValue(
            @Nullable Quantity asked, Quantity amount, @Nullable Quantity byDefault, List<Quantity> valid) {
        if (asked == null) {
            return valid.contains(amount) ? amount : null;
        }
        return valid.stream()
                .filter(value -> value.compareTo(asked) >= 0)
                .findFirst()
                .orElse(asked.equals(byDefault) ? asked : null);
    }

    private static Quantity roundedUp(Quantity asked, DeviceCapacity.Range range, boolean fractional) {
        BigDecimal min = range.min().value();
        if (asked.value().compareTo(min) <= 0) {
            return range.min();
        }
        if (range.step() == null) {
            return asked;
        }
        int scale = scale(range, fractional);
        BigDecimal step = whole(range.step(), scale);
        BigDecimal steps =
                whole(asked, scale).subtract(whole(range.min(), scale)).divide(step, 0, RoundingMode.CEILING);
        return Quantity.ZERO.withValue(whole(range.min(), scale).add(step.multiply(steps)));
    }

    private static boolean isInRange(Quantity amount, DeviceCapacity.Range range, boolean fractional) {
        if (range.max() != null && amount.compareTo(range.max()) > 0) {
            return false;
        }
        int scale = scale(range, fractional);
        return range.step() == null
                || whole(amount, scale)
                                .subtract(whole(range.min(), scale))
                                .remainder(whole(range.step(), scale))
                                .signum()
                        == 0;
    }

    /** Without fractions, all values are counted in whole units, rounded up. */
    private static int scale(DeviceCapacity.Range range, boolean fractional) {
        return fractional
                        && Stream.of(range.min(), range.max(), range.step())
                                .allMatch(
                                        bound -> bound == null || bound.value().scale() <= THOUSANDTHS)
                ? THOUSANDTHS
                : 0;
    }

    private static BigDecimal whole(Quantity quantity, int scale) {
        return quantity.value().setScale(scale, RoundingMode.CEILING);
    }
}
