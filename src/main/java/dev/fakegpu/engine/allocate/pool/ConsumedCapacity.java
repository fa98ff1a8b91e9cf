package dev.fakegpu.engine.allocate.pool;

import static java.util.Objects.requireNonNull;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The amount of each capacity of a device that a request would consume, rounded according to the device's request policies (KEP-5075).
 * Upstream: {@code structured/internal/experimental/consumable_capacity.go}.
 */
public sealed interface ConsumedCapacity {

    /**
     * The device's request policy does not allow the amount, or the device lacks a capacity that the request names. Another device may
     * offer it.
     *
     * @param amount the amount after rounding; null if the device lacks the capacity
     */
    record NotOffered(String capacity, @Nullable Quantity amount) implements ConsumedCapacity {}

    /** The amount of each capacity. Immutable; the arrays must not be written to. */
    final class Amounts implements ConsumedCapacity {
        private final Map<String, Quantity> byName;
        private final BigDecimal[] values;
        private final BigDecimal[] limits;

        private Amounts(Map<String, Quantity> byName, Map<String, DeviceCapacity> capacity) {
            this.byName = Map.copyOf(byName);
            values = aligned(byName, capacity);
            limits = new BigDecimal[capacity.size()];
            int place = 0;
            for (DeviceCapacity each : capacity.values()) {
                limits[place++] = each.value().value();
            }
        }

        /** The amounts in the order of the device's capacities; zero for capacities that the request does not name. */
        static BigDecimal[] aligned(Map<String, Quantity> amounts, Map<String, DeviceCapacity> capacity) {
            var values = new BigDecimal[capacity.size()];
            int place = 0;
            for (String name : capacity.keySet()) {
                Quantity amount = amounts.get(name);
                values[place++] = amount == null ? BigDecimal.ZERO : amount.value();
            }
            return values;
        }

        public Map<String, Quantity> byName() {
            return byName;
        }

        /**
         * Whether enough is left.
         *
         * @param taken the amounts taken by allocated claims, in the same order; null for nothing
         * @param takenNow the amounts taken by devices picked in this search, in the same order; null for nothing
         */
        public boolean fits(BigDecimal @Nullable [] taken, BigDecimal @Nullable [] takenNow) {
            return firstShort(taken, takenNow) < 0;
        }

        /** The index of the first capacity of which too little is left; -1 if there is none. */
        int firstShort(BigDecimal @Nullable [] taken, BigDecimal @Nullable [] takenNow) {
            for (int i = 0; i < values.length; i++) {
                BigDecimal sum = values[i];
                sum = taken == null ? sum : sum.add(taken[i]);
                sum = takenNow == null ? sum : sum.add(takenNow[i]);
                if (sum.compareTo(limits[i]) > 0) {
                    return i;
                }
            }
            return -1;
        }

        /** The sum of these amounts and the others. */
        public BigDecimal[] plus(BigDecimal @Nullable [] others) {
            return others == null ? values : plus(values, others);
        }

        static BigDecimal[] plus(BigDecimal[] a, BigDecimal[] b) {
            var sum = new BigDecimal[a.length];
            for (int i = 0; i < sum.length; i++) {
                sum[i] = a[i].add(b[i]);
            }
            return sum;
        }
    }

    /** The request cannot be represented in the device's units. Then the whole allocation fails, not only this device. */
    record Unrepresentable(String capacity, String message) implements ConsumedCapacity {}

    /** @param requests the requested amounts by name of the capacity; null for none */
    static ConsumedCapacity of(@Nullable Map<String, Quantity> requests, Device device, CapacityRounding rounding) {
        Map<String, DeviceCapacity> capacity = device.capacity();
        if (requests != null && !capacity.keySet().containsAll(requests.keySet())) {
            return lacking(requests, capacity);
        }
        var amounts = new LinkedHashMap<String, Quantity>();
        for (Map.Entry<String, DeviceCapacity> entry : capacity.entrySet()) {
            try {
                Quantity requested = requests == null ? null : requests.get(entry.getKey());
                amounts.put(entry.getKey(), rounding.amount(requested, entry.getValue()));
            } catch (ArithmeticException e) {
                return new Unrepresentable(entry.getKey(), String.valueOf(e.getMessage()));
            }
        }
        // A second pass: an amount that cannot be represented ends the allocation, whichever capacity comes first.
        for (Map.Entry<String, DeviceCapacity> entry : capacity.entrySet()) {
            try {
                Quantity amount = requireNonNull(amounts.get(entry.getKey()));
                if (!rounding.isOffered(amount, entry.getValue())) {
                    return new NotOffered(entry.getKey(), amount);
                }
            } catch (ArithmeticException e) {
                return new Unrepresentable(entry.getKey(), String.valueOf(e.getMessage()));
            }
        }
        return new Amounts(amounts, capacity);
    }

    private static NotOffered lacking(Map<String, Quantity> requests, Map<String, DeviceCapacity> capacity) {
        String missing = requests.keySet().stream()
                .filter(name -> !capacity.containsKey(name))
                .findFirst()
                .orElseThrow();
        return new NotOffered(missing, null);
    }
}
