package dev.fakegpu.dra;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Arithmetic for quantities. Its time and memory do not depend on exponents. Upstream writes out all digits of a sum, so {@code 1e9000000 +
 * 1} takes it seconds; here numbers have at most {@value #MAX_DIGITS} significant digits.
 */
final class BoundedDecimal {

    static final int MAX_DIGITS = 1000;

    /** Leaves room below the largest scale of a {@link BigDecimal}, which is an {@code int}. */
    private static final int MAX_EXPONENT = 2_000_000_000;

    /** Powers of two whose sum is more than {@value #MAX_DIGITS}. */
    private static final int MOST_ZEROS = 512;

    private static final int FEW_ZEROS = 32;
    private static final int NANO_SCALE = 9;
    private static final BigDecimal NANO = BigDecimal.ONE.movePointLeft(NANO_SCALE);
    private static final BigDecimal CAP = BigDecimal.ONE.scaleByPowerOfTen(MAX_DIGITS);

    private BoundedDecimal() {}

    /**
     * Reads a number without an exponent. Digits beyond the first {@value #MAX_DIGITS} are rounded away from zero.
     *
     * @param text an optional sign, and digits with at most one decimal point
     */
    static BigDecimal parse(String text) {
        String digits = text.replaceAll("[+.-]", "").replaceFirst("^0+", "");
        int dropped = digits.length() - MAX_DIGITS;
        if (dropped <= 0) {
            return new BigDecimal(text);
        }
        var kept = new BigInteger(digits.substring(0, MAX_DIGITS));
        boolean isExact = digits.substring(MAX_DIGITS).chars().allMatch(digit -> digit == '0');
        BigInteger rounded = isExact ? kept : kept.add(BigInteger.ONE);
        int fraction = text.contains(".") ? text.length() - text.indexOf('.') - 1 : 0;
        return new BigDecimal(text.startsWith("-") ? rounded.negate() : rounded, fraction - dropped);
    }

    /** The exponent, limited to the range that quantities can have. */
    static int limitExponent(int exponent) {
        return Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, exponent));
    }

    /** Rounds away from zero to a whole number of nanos, as upstream, and strips trailing zeros. */
    static BigDecimal normalize(BigDecimal value) {
        if (value.signum() == 0) {
            return BigDecimal.ZERO;
        }
        if (wholeDigits(value) <= -NANO_SCALE) {
            return value.signum() > 0 ? NANO : NANO.negate();
        }
        var rounded = value.scale() > NANO_SCALE ? value.setScale(NANO_SCALE, RoundingMode.UP) : value;
        return withoutTrailingZeros(rounded);
    }

    /** Replaces {@link BigDecimal#stripTrailingZeros}, which divides by ten for every zero. */
    private static BigDecimal withoutTrailingZeros(BigDecimal value) {
        BigDecimal result = value;
        for (int zeros = MOST_ZEROS; zeros >= FEW_ZEROS; zeros /= 2) {
            if (result.unscaledValue().getLowestSetBit() >= zeros) {
                BigInteger[] parts = result.unscaledValue().divideAndRemainder(BigInteger.TEN.pow(zeros));
                if (parts[1].signum() == 0) {
                    result = new BigDecimal(parts[0], result.scale() - zeros);
                }
            }
        }
        return result.stripTrailingZeros();
    }

    /**
     * The sum. It is exact if it has at most {@value #MAX_DIGITS} digits. Otherwise it is rounded in the direction of the operand that is
     * smaller in magnitude, so that adding a positive number always increases the other one, and adding a negative one decreases it.
     */
    static BigDecimal sum(BigDecimal a, BigDecimal b) {
        BigDecimal smaller = a.abs().compareTo(b.abs()) < 0 ? a : b;
        if (smaller.signum() == 0) {
            return smaller == a ? b : a;
        }
        return a.add(b, new MathContext(MAX_DIGITS, smaller.signum() > 0 ? RoundingMode.CEILING : RoundingMode.FLOOR));
    }

    /** The number, limited to 10 to the power of {@value #MAX_DIGITS} in magnitude. */
    static BigDecimal cap(BigDecimal value) {
        if (wholeDigits(value) <= MAX_DIGITS) {
            return value;
        }
        return value.signum() > 0 ? CAP : CAP.negate();
    }

    /** The number of digits before the decimal point; negative if zeros follow it. */
    private static long wholeDigits(BigDecimal value) {
        return (long) value.precision() - value.scale();
    }
}
