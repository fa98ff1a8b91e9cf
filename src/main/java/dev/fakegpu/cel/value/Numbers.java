package dev.fakegpu.cel.value;

import com.google.common.primitives.UnsignedLong;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ints, uints and doubles, which CEL compares by value, regardless of type. */
public final class Numbers {

    private Numbers() {}

    public static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof UnsignedLong;
    }

    /**
     * Negative, zero or positive.
     *
     * @throws Failure if one of them is NaN
     */
    static int compare(Object left, Object right) {
        if (left instanceof Long a && right instanceof Long b) {
            return Long.compare(a, b);
        }
        if (isNan(left) || isNan(right)) {
            throw new Failure("NaN values cannot be ordered");
        }
        BigDecimal a = exact(left);
        BigDecimal b = exact(right);
        if (a == null || b == null) {
            return Double.compare(approximate(left), approximate(right));
        }
        return a.compareTo(b);
    }

    static boolean areEqual(Object left, Object right) {
        return !isNan(left) && !isNan(right) && compare(left, right) == 0;
    }

    /**
     * All values that are equal to {@code value}: for a number, its value in each type that can hold it (none for NaN, which does not equal
     * itself); any other value unchanged.
     */
    public static List<Object> equalValues(Object value) {
        BigDecimal number = isNumber(value) ? exact(value) : null;
        if (number == null) {
            return value.equals(Double.NaN) ? List.of() : List.of(value);
        }
        var result = new ArrayList<Object>(3);
        result.add(value);
        result.add(number.doubleValue());
        if (number.stripTrailingZeros().scale() <= 0) {
            var whole = number.toBigInteger();
            if (whole.bitLength() < Long.SIZE) {
                result.add(whole.longValue());
            }
            if (whole.signum() >= 0 && whole.bitLength() <= Long.SIZE) {
                result.add(UnsignedLong.valueOf(whole));
            }
        }
        return result;
    }

    /** A number as a list index; null for anything other than a 64-bit integer. */
    static @Nullable Long asIndex(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        BigDecimal number = isNumber(value) ? exact(value) : null;
        if (number == null || number.stripTrailingZeros().scale() > 0) {
            return null;
        }
        return number.toBigInteger().bitLength() < Long.SIZE ? (Long) number.longValue() : null;
    }

    private static boolean isNan(Object number) {
        return number instanceof Double value && value.isNaN();
    }

    private static double approximate(Object number) {
        return ((Number) number).doubleValue();
    }

    /** Null for an infinite number and NaN. */
    private static @Nullable BigDecimal exact(Object number) {
        if (number instanceof Long value) {
            return BigDecimal.valueOf(value);
        }
        if (number instanceof UnsignedLong value) {
            return new BigDecimal(value.bigIntegerValue());
        }
        double value = (Double) number;
        return Double.isFinite(value) ? new BigDecimal(value) : null;
    }
}
