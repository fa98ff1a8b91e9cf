package dev.fakegpu.engine.cel.library;

import com.google.common.io.BaseEncoding;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.OpaqueValue;
import dev.fakegpu.engine.cel.value.Steps;
import dev.fakegpu.engine.cel.value.TypeName;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code "%s".format([x])}. Upstream: {@code cel-go/ext/formatting.go}, in which the locale is always en_US. */
public final class TextFormat {

    private static final Pattern CLAUSE = Pattern.compile("%(?:\\.(\\d+))?(.)", Pattern.DOTALL);
    private static final int DEFAULT_PRECISION = 6;

    /** The smallest double has the most digits after the decimal point, 1074. */
    private static final int MAX_PRECISION = 1_100;

    /** The steps of computing the exact decimal digits of a double, of which there are up to 1,100. */
    private static final int STEPS_OF_DOUBLE = 500;

    private static final Set<String> TEXTUAL = Set.of(
            "list",
            "map",
            "int",
            "uint",
            "double",
            "bool",
            "string",
            "google.protobuf.Timestamp",
            "bytes",
            "google.protobuf.Duration",
            "type",
            "null_type");

    private TextFormat() {}

    /** A placeholder in a format, such as {@code %.3f}. */
    public record Clause(int precision, char kind) {

        /** Whether a value of this CEL type fits; {@code %s} takes nearly every type. */
        public boolean accepts(String typeName) {
            return switch (kind) {
                case 'd', 'o' -> List.of("int", "uint").contains(typeName);
                case 'f', 'e' -> List.of("double", "string").contains(typeName);
                case 'b' -> List.of("int", "uint", "bool").contains(typeName);
                case 'x', 'X' -> List.of("int", "uint", "string", "bytes").contains(typeName);
                default -> TEXTUAL.contains(typeName);
            };
        }
    }

    static String format(String format, List<?> arguments) {
        var result = new StringBuilder();
        int next = 0;
        for (Object piece : pieces(format)) {
            if (!(piece instanceof Clause clause)) {
                result.append(piece);
                continue;
            }
            if (next >= arguments.size()) {
                throw new Failure("index " + next + " out of range");
            }
            String formatted = formatted(clause, arguments.get(next));
            Steps.text(formatted.length());
            result.append(formatted);
            next++;
        }
        return result.toString();
    }

    public static List<Clause> clauses(String format) {
        return pieces(format).stream()
                .filter(Clause.class::isInstance)
                .map(Clause.class::cast)
                .toList();
    }

    /**
     * Parses a format into its literal strings and clauses, in order.
     *
     * @throws Failure if a percent sign does not begin a clause
     */
    private static List<Object> pieces(String format) {
        var pieces = new ArrayList<Object>();
        Matcher clause = CLAUSE.matcher(format);
        int from = 0;
        int percent = format.indexOf('%');
        while (percent >= 0) {
            pieces.add(format.substring(from, percent));
            if (!clause.find(percent) || clause.start() != percent) {
                throw new Failure("could not parse formatting clause");
            }
            pieces.add(piece(clause));
            from = clause.end();
            percent = format.indexOf('%', from);
        }
        pieces.add(format.substring(from));
        return pieces;
    }

    private static Object piece(Matcher clause) {
        char kind = clause.group(2).charAt(0);
        if (kind == '%' && clause.group(1) == null) {
            return "%";
        }
        if ("sdfebxXo".indexOf(kind) < 0) {
            throw new Failure("unrecognized formatting clause \"" + kind + "\"");
        }
        return new Clause(precision(clause.group(1)), kind);
    }

    private static int precision(@Nullable String digits) {
        if (digits == null) {
            return DEFAULT_PRECISION;
        }
        if (digits.length() > 4 || Integer.parseInt(digits) > MAX_PRECISION) {
            throw new Failure("precision of formatting clause is too large");
        }
        return Integer.parseInt(digits);
    }

    private static String formatted(Clause clause, Object value) {
        if (!clause.accepts(TypeName.of(value).name())) {
            throw wrongType(clause.kind(), value);
        }
        return switch (clause.kind()) {
            case 's' -> text(value);
            case 'd' -> value.toString();
            case 'f', 'e' -> floating(clause, value);
            case 'b' -> value instanceof Boolean bool ? (bool ? "1" : "0") : inBase(value, 2);
            case 'o' -> inBase(value, 8);
            case 'X' -> hexadecimal(value).toUpperCase(Locale.ROOT);
            default -> hexadecimal(value);
        };
    }

    private static Failure wrongType(char kind, Object value) {
        return new Failure("%" + kind + " cannot be used on " + TypeName.of(value));
    }

    private static String inBase(Object number, int base) {
        return number instanceof UnsignedLong unsigned ? unsigned.toString(base) : Long.toString((Long) number, base);
    }

    private static String hexadecimal(Object value) {
        if (value instanceof String text) {
            return BaseEncoding.base16().lowerCase().encode(text.getBytes(StandardCharsets.UTF_8));
        }
        return value instanceof CelByteString bytes
                ? BaseEncoding.base16().lowerCase().encode(bytes.toByteArray())
                : inBase(value, 16);
    }

    private static String floating(Clause clause, Object value) {
        if (value instanceof String text) {
            if (!List.of("NaN", "Infinity", "-Infinity").contains(text)) {
                throw wrongType(clause.kind(), value);
            }
            return text.replace("Infinity", "∞");
        }
        double number = (Double) value;
        if (!Double.isFinite(number)) {
            return Double.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
        }
        Steps.take(STEPS_OF_DOUBLE);
        var exact = new BigDecimal(number);
        if (clause.kind() == 'f') {
            // Go rounds half to even; Java's formatter rounds half up.
            BigDecimal rounded = exact.setScale(clause.precision(), RoundingMode.HALF_EVEN);
            return grouped(rounded.toPlainString());
        }
        // Upstream treats the precision as a minimum width and always prints six digits; here there is no padding.
        BigDecimal rounded = exact.round(new MathContext(DEFAULT_PRECISION + 1, RoundingMode.HALF_EVEN));
        String scientific = String.format(Locale.US, "%." + DEFAULT_PRECISION + "e", rounded);
        int exponent = scientific.indexOf('e');
        return scientific.substring(0, exponent) + "\u202f\u00d7\u202f10"
                + superscript(scientific.substring(exponent + 1));
    }

    /** Inserts a comma after every three digits of the integral part, from the right. */
    private static String grouped(String number) {
        int point = number.indexOf('.');
        var result = new StringBuilder(number);
        int first = number.startsWith("-") ? 1 : 0;
        for (int i = (point < 0 ? number.length() : point) - 3; i > first; i -= 3) {
            result.insert(i, ',');
        }
        return result.toString();
    }

    private static String superscript(String exponent) {
        String sign = exponent.charAt(0) == '-' ? "\u207b" : "";
        return sign
                + exponent.substring(1)
                        .chars()
                        .mapToObj(c -> String.valueOf(
                                "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079".charAt(c - '0')))
                        .collect(Collectors.joining());
    }

    private static String text(Object value) {
        Steps.take(1);
        if (value instanceof List<?> list) {
            return list.stream().map(TextFormat::literal).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> literal(entry.getKey()) + ":" + literal(entry.getValue()))
                    .sorted()
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof NullValue) {
            return "null";
        }
        if (value instanceof TypeName) {
            return value.toString();
        }
        if (value instanceof OpaqueValue) {
            throw wrongType('s', value);
        }
        return (String) Conversions.toText(value);
    }

    private static String plain(double number) {
        Steps.take(STEPS_OF_DOUBLE);
        boolean isNegative = number < 0 || 1 / number < 0;
        return (isNegative ? "-" : "")
                + new BigDecimal(Math.abs(number))
                        .setScale(DEFAULT_PRECISION, RoundingMode.HALF_EVEN)
                        .toPlainString();
    }

    /** The value as a literal of an expression, as elements of lists and maps are formatted. */
    private static String literal(Object value) {
        if (value instanceof String text) {
            Steps.text(text.length());
            return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        }
        if (value instanceof Instant) {
            return "timestamp(\"" + text(value) + "\")";
        }
        if (value instanceof Duration) {
            return "duration(\"" + text(value) + "\")";
        }
        if (value instanceof CelByteString) {
            return "b\"" + text(value) + "\"";
        }
        return value instanceof Double number && Double.isFinite(number) ? plain(number) : text(value);
    }
}
