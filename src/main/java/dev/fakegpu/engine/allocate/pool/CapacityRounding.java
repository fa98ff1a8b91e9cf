package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Rounds requested capacity according to request policies (KEP-5075). Upstream:
 * {@code structured/internal/experimental/consumable_capacity.go}.
 */
public enum CapacityRounding {
    /** Computes ranges in whole units. */
    WHOLE_UNITS,
    /** Computes ranges in thousandths if their bounds allow it (the feature {@code FractionalCapacityRange}). */
    THOUSANDTHS;

    /**
     * The amount that a request consumes.
     *
     * @param requested null for the default, which is that of the policy or the whole capacity
     * @throws ArithmeticException if the amount cannot be represented; the message is for users
     */
    Quantity amount(@Nullable Quantity requested, DeviceCapacity capacity) {
        Quantity amount = requested == null ? unrequested(capacity) : rounded(requested, capacity);
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

    private Quantity rounded(Quantity requested, DeviceCapacity capacity) {
        DeviceCapacity.RequestPolicy policy = capacity.requestPolicy();
        if (policy == null) {
            return requested;
        }
        DeviceCapacity.Range range = policy.validRange();
        if (range != null && range.min() != null) {
            return roundedUp(requested, range, range.min());
        }
        return policy.validValues().stream()
                .filter(value -> requested.compareTo(value) <= 0)
                .findFirst()
                .orElse(requested);
    }

    private Quantity roundedUp(Quantity requested, DeviceCapacity.Range range, Quantity min) {
        if (requested.compareTo(min) < 0) {
            return min;
        }
        Quantity step = range.step();
        if (step == null) {
            return requested;
        }
        requireStep(step);
        int scale = allowsThousandths() && isInThousandths(min, range.max(), step) ? 3 : 0;
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

    /** The whole number that upstream uses in calculations; fractions of a unit are rounded up. */
    private static BigInteger units(Quantity quantity, int scale) {
        return quantity.value()
                .movePointRight(scale)
                .setScale(0, RoundingMode.CEILING)
                .toBigInteger();
    }

    /** The number in units. Thousandths must be exact; whole numbers are rounded up. Both must fit the type that upstream uses. */
    private static BigInteger wholeUnits(Quantity requested, int scale) {
        boolean exact = scale == 0 || isInThousandths(requested);
        BigInteger units = units(requested, scale);
        if (!exact || requested.value().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 && scale == 0) {
            throw new ArithmeticException(
                    "capacity request " + requested + " cannot be represented in the device's range arithmetic");
        }
        return units;
    }

    /**
     * Whether the request policy allows a rounded amount.
     *
     * @throws ArithmeticException if that cannot be computed; the message is for users
     */
    boolean isOffered(Quantity amount, DeviceCapacity capacity) {
        DeviceCapacity.RequestPolicy policy = capacity.requestPolicy();
        if (policy == null || amount.equals(policy.defaultValue())) {
            return true;
        }
        if (policy.validRange() != null) {
            return isInRange(amount, policy.validRange());
        }
        return policy.validValues().isEmpty() || policy.validValues().contains(amount);
    }

    private boolean allowsThousandths() {
        return this == THOUSANDTHS;
    }

    private boolean isInRange(Quantity amount, DeviceCapacity.Range range) {
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
        boolean thousandths = allowsThousandths() && isInThousandths(min, range.max(), step);
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

    /** Upstream panics in this case. */
    private static void requireStep(Quantity step) {
        if (step.signum() == 0) {
            throw new ArithmeticException("a range with a step of zero");
        }
    }

    /** Whether all bounds can be written in thousandths, even if none of them needs to. */
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
