package dev.fakegpu.engine.cel.value;

import dev.cel.common.values.CelByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * The order of values for {@code <}, {@code min()} and {@code sort()}. Upstream: the method {@code Compare} of each type in
 * {@code cel-go/common/types}.
 */
public final class Ordering {

    private Ordering() {}

    /** Whether values of this type can be compared with each other. */
    public static boolean isComparable(Object value) {
        return Numbers.isNumber(value)
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Duration
                || value instanceof Instant
                || value instanceof CelByteString;
    }

    /**
     * Compares two values; the result is negative, zero or positive.
     *
     * @throws Failure if the values have no common order
     */
    public static int compare(Object left, Object right) {
        if (Numbers.isNumber(left) && Numbers.isNumber(right)) {
            return Numbers.compare(left, right);
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
            Steps.text((long) a.size() + b.size()); // both are copied
            return Arrays.compareUnsigned(a.toByteArray(), b.toByteArray());
        }
        throw Failure.noSuchOverload("comparison");
    }

    /** Compares by code point, as Go's bytewise comparison of UTF-8 does; {@link String#compareTo} compares UTF-16 code units. */
    private static int compareText(String left, String right) {
        int common = Math.min(left.length(), right.length());
        Steps.text(common);
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
}
