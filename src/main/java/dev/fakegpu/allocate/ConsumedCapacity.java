package dev.fakegpu.allocate;

import static java.util.Objects.requireNonNull;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of each of a device's capacities a request would consume, rounded to the portions that the device hands out
 * (KEP-5075). Upstream: {@code structured/internal/experimental/consumable_capacity.go}.
 */
sealed interface ConsumedCapacity {

    /**
     * The device has no such portions, or lacks a capacity that the request names; another device may do.
     *
     * @param amount which portion; null if it lacks the capacity
     */
    record NotOffered(String capacity, @Nullable Quantity amount) implements ConsumedCapacity {}

    /** So much of each capacity. Immutable; its arrays must not be written to. */
    final class Amounts implements ConsumedCapacity {
        private final Map<String, Quantity> byName;
        private final BigDecimal[] values;
        private final BigDecimal[] limits;

        private Amounts(Map<String, Quantity> byName, Map<String, DeviceCapacity> capacity) {
            this.byName = Map.copyOf(byName);
            values = aligned(byName, capacity);
            limits =
                    capacity.values().stream().map(each -> each.value().value()).toArray(BigDecimal[]::new);
        }

        /** What there is of each capacity in the order in which the device lists them, zero of those that are not named. */
        static BigDecimal[] aligned(Map<String, Quantity> amounts, Map<String, DeviceCapacity> capacity) {
            return capacity.keySet().stream()
                    .map(name -> amounts.containsKey(name)
                            ? requireNonNull(amounts.get(name)).value()
                            : BigDecimal.ZERO)
                    .toArray(BigDecimal[]::new);
        }

        Map<String, Quantity> byName() {
            return byName;
        }

        /**
         * Whether so much is left.
         *
         * @param taken what is taken already, and once more; aligned, or null for nothing
         */
        boolean fits(BigDecimal @Nullable [] taken, BigDecimal @Nullable [] takenNow) {
            return firstShort(taken, takenNow) < 0;
        }

        /** The first capacity of which too little is left, by its place in the device's list; -1 if there is none. */
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

        /** These and others. */
        BigDecimal[] plus(BigDecimal @Nullable [] others) {
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

    /** The request cannot be expressed in what the device counts in: the whole attempt fails, not only this device. */
    record Unrepresentable(String capacity, String message) implements ConsumedCapacity {}

    /**
     * @param requests by name of the capacity, null for none
     * @param fractional whether ranges count in thousandths ({@link Feature#FRACTIONAL_CAPACITY_RANGE})
     */
    static ConsumedCapacity of(@Nullable Map<String, Quantity> requests, Device device, boolean fractional) {
        Map<String, DeviceCapacity> capacity = device.capacity();
        if (requests != null && !capacity.keySet().containsAll(requests.keySet())) {
            return lacking(requests, capacity);
        }
        var amounts = new LinkedHashMap<String, Quantity>();
        for (Map.Entry<String, DeviceCapacity> entry : capacity.entrySet()) {
            try {
                Quantity requested = requests == null ? null : requests.get(entry.getKey());
                amounts.put(entry.getKey(), amount(requested, entry.getValue(), fractional));
            } catch (ArithmeticException e) {
                return new Unrepresentable(entry.getKey(), String.valueOf(e.getMessage()));
            }
        }
        // Only after all of them are known to be representable, because that ends the attempt whichever comes first.
        for (Map.Entry<String, DeviceCapacity> entry : capacity.entrySet()) {
            try {
                Quantity amount = requireNonNull(amounts.get(entry.getKey()));
                if (!isOffered(amount, entry.getValue(), fractional)) {
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

    private static Quantity amount(@Nullable Quantity requested, DeviceCapacity capacity, boolean fractional) {
        Quantity amount = requested == null ? unrequested(capacity) : rounded(requested, capacity, fractional);
        if (amount.signum() < 0) {
            throw new ArithmeticException("capacity value is negative");
        }
        return amount;
    }

    private static Quantity unrequested(DeviceCapacity capacity) {
        DeviceCapacity.RequestPolicy policy = capacity.requestPolicy();
        Quantity byDefault = policy == null ? null : policy.defaultValue();
        return byDefault == null ? capacity.value() : byDefault;
    }

    private static Quantity rounded(Quantity requested, DeviceCapacity capacity, boolean fractional) {
        DeviceCapacity.RequestPolicy policy = capacity.requestPolicy();
        if (policy == null) {
            return requested;
        }
        DeviceCapacity.Range range = policy.validRange();
        if (range != null && range.min() != null) {
            return roundedUp(requested, range, range.min(), fractional);
        }
        return policy.validValues().stream()
                .filter(value -> requested.compareTo(value) <= 0)
                .findFirst()
                .orElse(requested);
    }

    private static Quantity roundedUp(
            Quantity requested, DeviceCapacity.Range range, Quantity min, boolean fractional) {
        if (requested.compareTo(min) < 0) {
            return min;
        }
        Quantity step = range.step();
        if (step == null) {
            return requested;
        }
        requireStep(step);
        int scale = fractional && isInThousandths(min, range.max(), step) ? 3 : 0;
        BigInteger base = units(min, scale);
        BigInteger stepUnits = units(step, scale);
        BigInteger above = wholeUnits(requested, scale).subtract(base);
        BigInteger[] steps = above.divideAndRemainder(stepUnits);
        BigInteger count = steps[1].signum() == 0 ? steps[0] : steps[0].add(BigInteger.ONE);
        BigInteger sum = base.add(stepUnits.multiply(count));
        if (sum.bitLength() >= Long.SIZE) {
            throw new ArithmeticException("rounding request " + requested + " up to the next step passes the range");
        }
        return step.withValue(new BigDecimal(sum, scale));
    }

    /** The whole number that upstream computes with: fractions of a unit round up. */
    private static BigInteger units(Quantity quantity, int scale) {
        return quantity.value()
                .movePointRight(scale)
                .setScale(0, RoundingMode.CEILING)
                .toBigInteger();
    }

    /** Thousandths must be exact; whole numbers round up, and both must fit what upstream counts in. */
    private static BigInteger wholeUnits(Quantity requested, int scale) {
        boolean exact = scale == 0 || isInThousandths(requested);
        BigInteger units = units(requested, scale);
        if (!exact || requested.value().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 && scale == 0) {
            throw new ArithmeticException(
                    "capacity request " + requested + " cannot be represented in the device's range arithmetic");
        }
        return units;
    }

    private static boolean isOffered(Quantity amount, DeviceCapacity capacity, boolean fractional) {
        DeviceCapacity.RequestPolicy policy = capacity.requestPolicy();
        if (policy == null || amount.equals(policy.defaultValue())) {
            return true;
        }
        if (policy.validRange() != null) {
            return isInRange(amount, policy.validRange(), fractional);
        }
        return policy.validValues().isEmpty() || policy.validValues().contains(amount);
    }

    private static boolean isInRange(Quantity amount, DeviceCapacity.Range range, boolean fractional) {
        if (range.max() != null && amount.compareTo(range.max()) > 0) {
            return false;
        }
        Quantity step = range.step();
        if (step == null) {
            return true;
        }
        Quantity min = range.min();
        if (min == null) {
            throw new ArithmeticException("a range with a step but without a minimum");
        }
        requireStep(step);
        boolean thousandths = fractional && isInThousandths(min, range.max(), step);
        if (thousandths && !isInThousandths(amount)) {
            return false;
        }
        int scale = thousandths ? 3 : 0;
        return units(amount, scale)
                        .subtract(units(min, scale))
                        .remainder(units(step, scale))
                        .signum()
                == 0;
    }

    /** Upstream panics. */
    private static void requireStep(Quantity step) {
        if (step.signum() == 0) {
            throw new ArithmeticException("a range with a step of zero");
        }
    }

    /** If all bounds can be written in thousandths, whether any of them has to be or not. */
    private static boolean isInThousandths(Quantity min, @Nullable Quantity max, Quantity step) {
        return isInThousandths(min)
                && (max == null || isInThousandths(max))
                && isInThousandths(step)
                && step.signum() > 0;
    }

    private static boolean isInThousandths(Quantity quantity) {
        BigDecimal thousandths = quantity.value().movePointRight(3);
        return thousandths.stripTrailingZeros().scale() <= 0
                && thousandths.toBigInteger().bitLength() < Long.SIZE;
    }
}
