package dev.fakegpu.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The order of values that have one. Numbers of different types are ordered among each other. */
final class Ordering {

    private Ordering() {}

    static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof Double || value instanceof UnsignedLong;
    }

    static boolean isComparable(Object value) {
        return isNumber(value)
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Duration
                || value instanceof Instant
                || value instanceof CelByteString;
    }

    /** Negative, zero or positive. @throws Failure where the values have no common order */
    static int compare(Object left, Object right) {
        if (isNumber(left) && isNumber(right)) {
            return compareNumbers(left, right);
        }
        if (left instanceof String a && right instanceof String b) {
            return compareText(a, b);
        }
        if (left instanceof Boolean a && right instanceof Boolean b) {
            return a.compareTo(b);
        }
        if (left instanceof Duration a && right instanceof Duration b) {
            return a.compareTo(b);
        }
        if (left instanceof Instant a && right instanceof Instant b) {
            return a.compareTo(b);
        }
        if (left instanceof CelByteString a && right instanceof CelByteString b) {
            return Arrays.compareUnsigned(a.toByteArray(), b.toByteArray());
        }
        throw Failure.noSuchOverload("comparison");
    }

    /** Bytewise in UTF-8, which is by code point and not by UTF-16 unit. */
    private static int compareText(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean surrogates = Character.isSurrogate(a) || Character.isSurrogate(b);
                return surrogates ? Integer.compare(left.codePointAt(i), right.codePointAt(i)) : a - b;
            }
        }
        return left.length() - right.length();
    }

    private static int compareNumbers(Object left, Object right) {
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

    static boolean numbersEqual(Object left, Object right) {
        return !isNan(left) && !isNan(right) && compareNumbers(left, right) == 0;
    }

    private static boolean isNan(Object number) {
        return number instanceof Double value && value.isNaN();
    }

    private static double approximate(Object number) {
        return ((Number) number).doubleValue();
    }

    /** Null for what is not finite. */
    static @Nullable BigDecimal exact(Object number) {
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
