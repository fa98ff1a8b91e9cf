package dev.fakegpu.engine.cel.library;

import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.Pattern;

/** Parses and formats floating-point numbers as Go does. */
final class GoNumbers {

    private static final Pattern DECIMAL = Pattern.compile("[+-]?(?:\\d++\\.?+\\d*+|\\.\\d++)(?:[eE][+-]?\\d++)?+");
    private static final Pattern HEXADECIMAL =
            Pattern.compile("[+-]?0[xX](?:[0-9a-fA-F]++\\.?+[0-9a-fA-F]*+|\\.[0-9a-fA-F]++)[pP][+-]?\\d++");
    private static final Pattern INFINITE = Pattern.compile("(?i)[+-]?inf(?:inity)?");
    private static final int DOUBLE_DIGITS = 17;

    /** A number with at most this many digits survives the conversion to a double, unless that is subnormal. */
    private static final int EXACT_DIGITS = 15;

    /** The steps of formatting a subnormal double, which has up to 1,074 digits. */
    private static final int STEPS_OF_SUBNORMAL = 500;

    private static final int MIN_PLAIN_EXPONENT = -4;
    private static final int MAX_PLAIN_EXPONENT = 5;

    private GoNumbers() {}

    /** Parses like {@code strconv.ParseFloat}. */
    static double parse(String text) {
        Steps.parse(text);
        if (INFINITE.matcher(text).matches()) {
            return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (text.equalsIgnoreCase("nan")) {
            return Double.NaN;
        }
        boolean number =
                DECIMAL.matcher(text).matches() || HEXADECIMAL.matcher(text).matches();
        double value = number ? Double.parseDouble(text) : Double.NaN;
        if (!Double.isFinite(value)) {
            throw new Failure("type conversion error from 'string' to 'double'");
        }
        return value;
    }

    /** Formats like {@code %g}: the fewest digits that identify the number. */
    static String shortest(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = shortestDigits(value);
        int exponent = digits.precision() - digits.scale() - 1;
        return exponent < MIN_PLAIN_EXPONENT || exponent > MAX_PLAIN_EXPONENT
                ? scientific(digits, exponent)
                : digits.toPlainString();
    }

    /** Does the same without an exponent, like {@code strconv.FormatFloat(value, 'f', -1, 64)}. */
    static String shortestPlain(double value) {
        return value == 0 ? "0" : shortestDigits(value).toPlainString();
    }

    private static BigDecimal shortestDigits(double value) {
        if (Math.abs(value) < Double.MIN_NORMAL) {
            return shortestOfSubnormal(value);
        }
        var exact = new BigDecimal(value);
        for (int digits = EXACT_DIGITS; digits < DOUBLE_DIGITS; digits++) {
            BigDecimal rounded = exact.round(new MathContext(digits));
            if (rounded.doubleValue() == value) {
                return plain(rounded);
            }
        }
        return plain(exact.round(new MathContext(DOUBLE_DIGITS)));
    }

    /** Removes superfluous digits. Java's digits identify the number, but there can be more than necessary. */
    private static BigDecimal shortestOfSubnormal(double value) {
        Steps.take(STEPS_OF_SUBNORMAL);
        var exact = new BigDecimal(value);
        BigDecimal result = plain(new BigDecimal(Double.toString(value)));
        while (result.precision() > 1) {
            BigDecimal shorter = exact.round(new MathContext(result.precision() - 1));
            if (shorter.doubleValue() != value) {
                break;
            }
            result = plain(shorter);
        }
        return plain(exact.round(new MathContext(result.precision())));
    }

    private static BigDecimal plain(BigDecimal number) {
        return number.stripTrailingZeros();
    }

    private static String scientific(BigDecimal digits, int exponent) {
        String unscaled = digits.unscaledValue().abs().toString();
        String fraction = unscaled.length() > 1 ? "." + unscaled.substring(1) : "";
        String sign = digits.signum() < 0 ? "-" : "";
        String power = (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
        return sign + unscaled.charAt(0) + fraction + "e" + power;
    }
}
