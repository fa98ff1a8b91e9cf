package dev.fakegpu.dra;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes quantity with exact arithmetic, e.g. {@code 40Gi}, {@code 1500m}, {@code 1e3}.
 *
 * <p>Two quantities are equal if they represent the same number, regardless of notation: {@code 1024Mi} equals {@code 1Gi}.
 * {@link #toString()} is the canonical form that the API server returns. The client's own {@code Quantity} rounds to 16
 * digits, so it is used only on the wire. Syntax: {@code k8s.io/apimachinery/pkg/api/resource/quantity.go}.
 *
 * <p>No method takes longer for a larger exponent. Numbers of more than {@value BoundedDecimal#MAX_DIGITS} digits are rounded.
 */
public final class Quantity implements Comparable<Quantity> {

    public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL_SI);
    public static final Quantity ONE = of(1);

    private static final Pattern SYNTAX =
            Pattern.compile("([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+))(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\\d+))");
    private static final Pattern DIGITS = Pattern.compile("[+-]?0*([\\d.]*)");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final String BINARY_PREFIXES = "KMGTPE";
    private static final Map<String, Integer> DECIMAL_EXPONENTS =
            Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
    private static final int NANO_SCALE = 9;
    private static final int LARGEST_DECIMAL_SUFFIX = 18;
    private static final int SHOWN_LENGTH = 100;

    /**
     * Devices, nodes and pods repeat the same few quantities, so they are parsed once. The cache is bounded because hostile objects may
     * have any number of them.
     */
    private static final Map<String, Quantity> KNOWN = new ConcurrentHashMap<>();

    private static final int MOST_KNOWN = 10_000;
    private static final int LONGEST_KNOWN = 20;

    /** Upstream caps numbers with binary suffixes at this value, but no others. */
    private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);

    private enum Format {
        BINARY_SI,
        DECIMAL_SI,
        DECIMAL_EXPONENT
    }

    private final BigDecimal value;
    private final Format format;
    private final @Nullable String spelling;

    private Quantity(BigDecimal value, Format format) {
        this(value, format, null);
    }

    private Quantity(BigDecimal value, Format format, @Nullable String spelling) {
        this.value = BoundedDecimal.normalize(value);
        this.format = format;
        this.spelling = spelling;
    }

    /** A plain number. */
    public static Quantity of(long value) {
        return new Quantity(BigDecimal.valueOf(value), Format.DECIMAL_SI);
    }

    /** A number of mebibytes, formatted with a binary suffix as NVIDIA's driver does. */
    public static Quantity ofMebibytes(long mebibytes) {
        return new Quantity(BigDecimal.valueOf(mebibytes).multiply(KIBI.pow(2)), Format.BINARY_SI);
    }

    /**
     * Parses Kubernetes' notation. As in upstream, fractions smaller than a nano round up.
     *
     * @throws IllegalArgumentException if {@code text} is not a quantity; the message quotes it
     */
    public static Quantity parse(String text) {
        Quantity known = KNOWN.get(text);
        if (known != null) {
            return known;
        }
        Quantity parsed = parsed(text);
        if (text.length() <= LONGEST_KNOWN && KNOWN.size() < MOST_KNOWN) {
            KNOWN.put(text, parsed);
        }
        return parsed;
    }

    private static Quantity parsed(String text) {
        Matcher syntax = SYNTAX.matcher(text);
        if (!syntax.matches()) {
            throw noQuantity(text);
        }
        BigDecimal number = BoundedDecimal.parse(syntax.group(1));
        if (syntax.group(2) != null) {
            return binary(text, number, BINARY_PREFIXES.indexOf(syntax.group(2).charAt(0)) + 1);
        }
        return syntax.group(4) == null
                ? decimal(text, number, DECIMAL_EXPONENTS.getOrDefault(syntax.group(3), 0), Format.DECIMAL_SI)
                : decimal(text, number, exponent(text, syntax.group(4)), Format.DECIMAL_EXPONENT);
    }

    private static IllegalArgumentException noQuantity(String text) {
        String shown = text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH) + "...";
        return new IllegalArgumentException("\"" + shown
                + "\" is not a quantity; write a number with an optional suffix such as 500m, 16, 40Gi or 1e3");
    }

    /** Reads an exponent as upstream does: it reads 64 bits and uses the lower 32 of them, so {@code 1e4294967296} is 1. */
    private static int exponent(String text, String digits) {
        try {
            return BoundedDecimal.limitExponent((int) Long.parseLong(digits));
        } catch (NumberFormatException e) {
            throw noQuantity(text);
        }
    }

    private static Quantity binary(String text, BigDecimal number, int power) {
        BigDecimal value = BoundedDecimal.normalize(number.multiply(KIBI.pow(power)));
        BigDecimal capped = value.min(LARGEST_BINARY).max(LARGEST_BINARY.negate());
        Format format = isFraction(capped) ? Format.DECIMAL_SI : Format.BINARY_SI;
        boolean kept = number.scale() <= 0
                && digits(text) + 3 * power < 15
                && number.toBigInteger().abs().getLowestSetBit() < 3
                && number.signum() != 0;
        return new Quantity(capped, format, kept ? text : null);
    }

    private static Quantity decimal(String text, BigDecimal number, int exponent, Format format) {
        int scale = exponent - Math.max(0, number.scale());
        String digits = number.unscaledValue().abs().toString();
        boolean kept = digits(text) <= 18
                && scale >= -NANO_SCALE
                && scale % 3 == 0
                && number.abs().compareTo(BigDecimal.ONE) >= 0
                && !digits.endsWith("000");
        return new Quantity(number.scaleByPowerOfTen(exponent), format, kept ? text : null);
    }

    private static boolean isFraction(BigDecimal value) {
        return value.signum() > 0 && value.compareTo(BigDecimal.ONE) < 0;
    }

    /** The number of digits without leading zeros. */
    private static int digits(String text) {
        Matcher number = DIGITS.matcher(text);
        return number.lookingAt() ? number.group(1).length() - (number.group(1).contains(".") ? 1 : 0) : 0;
    }

    /** The number, limited to 10 to the power of {@value BoundedDecimal#MAX_DIGITS} in magnitude, so that it is safe to compute with. */
    public BigDecimal value() {
        return BoundedDecimal.cap(value);
    }

    public Quantity plus(Quantity other) {
        return new Quantity(BoundedDecimal.sum(value, other.value), formatWith(other));
    }

    public Quantity minus(Quantity other) {
        return new Quantity(BoundedDecimal.sum(value, other.value.negate()), formatWith(other));
    }

    /** The format of a sum or difference: if this is zero, that of the other operand. */
    private Format formatWith(Quantity other) {
        return signum() == 0 ? other.format : format;
    }

    public Quantity times(long factor) {
        return new Quantity(value.multiply(BigDecimal.valueOf(factor)), format);
    }

    /** Another number in the same format. */
    public Quantity withValue(BigDecimal newValue) {
        return new Quantity(newValue, format);
    }

    public Quantity max(Quantity other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** The number of significant digits, without trailing zeros. */
    public int significantDigits() {
        return value.precision();
    }

    public int signum() {
        return value.signum();
    }

    @Override
    public int compareTo(Quantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Quantity that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    /**
     * The canonical form: the number with the largest suffix that keeps it whole. As in upstream, a string that upstream's fast path treats
     * as canonical, such as {@code 1.500}, is kept as written.
     */
    @Override
    public String toString() {
        return spelling != null ? spelling : canonical();
    }

    private String canonical() {
        return switch (format) {
            case BINARY_SI -> binary();
            case DECIMAL_SI -> decimal();
            case DECIMAL_EXPONENT -> exponent();
        };
    }

    private String binary() {
        // Upstream switches to decimal suffixes for fractions and for numbers that are too small for a suffix.
        if (!isWhole() || value.abs().compareTo(KIBI) < 0 || !value.equals(value())) {
            return decimal();
        }
        BigInteger rest = value.toBigIntegerExact();
        int power = 0;
        while (power < BINARY_PREFIXES.length() && rest.getLowestSetBit() >= 10) {
            rest = rest.shiftRight(10);
            power++;
        }
        return power == 0 ? rest.toString() : rest.toString() + BINARY_PREFIXES.charAt(power - 1) + "i";
    }

    private String decimal() {
        int exponent = wholeExponent();
        if (exponent > LARGEST_DECIMAL_SUFFIX) {
            // v0.37.1 drops the suffix here, and with it most of the value (kubernetes issue 141249).
            return exponent();
        }
        return value.scaleByPowerOfTen(-exponent).toBigIntegerExact() + decimalSuffix(exponent);
    }

    private String exponent() {
        int exponent = wholeExponent();
        BigInteger mantissa = value.scaleByPowerOfTen(-exponent).toBigIntegerExact();
        return exponent == 0 ? mantissa.toString() : mantissa + "e" + exponent;
    }

    /** The largest exponent that is at least -9, is a multiple of three, and leaves a whole mantissa. */
    private int wholeExponent() {
        if (value.signum() == 0) {
            return 0;
        }
        return Math.max(-NANO_SCALE, Math.floorDiv(-value.scale(), 3) * 3);
    }

    private boolean isWhole() {
        return value.scale() <= 0;
    }

    private static String decimalSuffix(int exponent) {
        return DECIMAL_EXPONENTS.entrySet().stream()
                .filter(entry -> entry.getValue() == exponent)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
