package dev.fakegpu.engine.cel.value;

import com.google.common.primitives.UnsignedLong;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ints, uints and doubles, which CEL compares by value regardless of their types. */
public final class Numbers {

    private static final double TWO_TO_63 = 0x1p63;
    private static final double TWO_TO_64 = 0x1p64;

    private Numbers() {}

    public static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof UnsignedLong;
    }

    /**
     * Compares two numbers; the result is negative, zero or positive.
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
        if (left instanceof Double a) {
            return right instanceof Double b ? compareDoubles(a, b) : -compareWithDouble(right, a);
        }
        return right instanceof Double b ? compareWithDouble(left, b) : compareWhole(left, right);
    }

    /** Compares doubles as numbers, so both zeros are equal. */
    private static int compareDoubles(double left, double right) {
        return left < right ? -1 : left > right ? 1 : 0;
    }

    private static int compareWhole(Object left, Object right) {
        boolean isNegative = left instanceof Long a && a < 0;
        if (isNegative != (right instanceof Long b && b < 0)) {
            return isNegative ? -1 : 1;
        }
        // As signed numbers, those below 2^63 and those above are each in the same order as unsigned numbers.
        return Long.compareUnsigned(((Number) left).longValue(), ((Number) right).longValue());
    }

    /** Compares exactly: a long has more digits than a double can distinguish. */
    private static int compareWithDouble(Object whole, double number) {
        if (whole instanceof Long value) {
            if (number >= TWO_TO_63 || number < -TWO_TO_63) {
                return number > 0 ? -1 : 1;
            }
            int order = Long.compare(value, (long) number);
            return order != 0 ? order : compareDoubles(0, number - (long) number);
        }
        if (number < 0 || number >= TWO_TO_64) {
            return number < 0 ? 1 : -1;
        }
        UnsignedLong floor = toUnsigned(number);
        int order = ((UnsignedLong) whole).compareTo(floor);
        return order != 0 ? order : compareDoubles(0, number - floor.doubleValue());
    }

    /** The integral part of a number that is at least 0 and less than 2^64. */
    public static UnsignedLong toUnsigned(double number) {
        return UnsignedLong.fromLongBits(
                number < TWO_TO_63 ? (long) number : (long) (number - TWO_TO_63) ^ Long.MIN_VALUE);
    }

    static boolean areEqual(Object left, Object right) {
        return !isNan(left) && !isNan(right) && compare(left, right) == 0;
    }

    /**
     * All values that equal {@code value}. For a number, these are its values in each type that can hold it; for NaN, which does not equal
     * itself, there are none. Any other value is returned unchanged.
     */
    public static List<Object> equalValues(Object value) {
        if (value instanceof Double number) {
            return number.isNaN() ? List.of() : equalToDouble(number);
        }
        var result = new ArrayList<Object>(3);
        result.add(value);
        if (value instanceof Long number) {
            result.add((double) number);
            if (number >= 0) {
                result.add(UnsignedLong.valueOf(number));
            }
        } else if (value instanceof UnsignedLong number) {
            result.add(number.doubleValue());
            if (number.longValue() >= 0) {
                result.add(number.longValue());
            }
        }
        return result;
    }

    private static List<Object> equalToDouble(double number) {
        var result = new ArrayList<Object>(3);
        result.add(number);
        result.add(number + 0.0); // converts -0.0 to 0.0
        if (number == Math.rint(number)) {
            if (number >= -TWO_TO_63 && number < TWO_TO_63) {
                result.add((long) number);
            }
            if (number >= 0 && number < TWO_TO_64) {
                result.add(toUnsigned(number));
            }
        }
        return result;
    }

    /** The number as a list index; null for anything other than a 64-bit integer. */
    static @Nullable Long asIndex(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof UnsignedLong number) {
            return number.longValue() >= 0 ? (Long) number.longValue() : null;
        }
        boolean isWhole = value instanceof Double number
                && number == Math.rint(number)
                && number >= -TWO_TO_63
                && number < TWO_TO_63;
        return isWhole ? (Long) ((Double) value).longValue() : null;
    }

    private static boolean isNan(Object number) {
        return number instanceof Double value && value.isNaN();
    }
}
