package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads unquoted values as kubectl does, which uses YAML 1.1: {@code y}, {@code no} and {@code on} are booleans, {@code 010} is 8, {@code
 * 1_0} is 10 and {@code 2.0} is an integer. Source: {@code resolve} of {@code go.yaml.in/yaml/v2}.
 */
final class YamlScalars {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
    private static final Pattern INTEGER = Pattern.compile(
            "([-+]?)(?:0[xX](?<hex>[0-9a-fA-F]+)|0[bB](?<binary>[01]+)|0[oO]?(?<octal>[0-7]+)|(?<decimal>0|[1-9][0-9]*))");
    private static final Pattern FLOAT =
            Pattern.compile("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?");
    private static final Pattern NO_NUMBER = Pattern.compile("[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(Long.SIZE);
    private static final BigInteger SMALLEST = BigInteger.valueOf(Long.MIN_VALUE);

    private YamlScalars() {}

    /** The value as JSON; a string if it is nothing else. */
    static JsonNode read(String plain) {
        if (TRUE.contains(plain) || FALSE.contains(plain)) {
            return JSON.booleanNode(TRUE.contains(plain));
        }
        if (NULL.contains(plain)) {
            return JSON.nullNode();
        }
        return number(plain).orElseGet(() -> JSON.textNode(plain));
    }

    /** Whether YAML 1.2, and most people, would read it differently. */
    static boolean isAmbiguous(String plain, JsonNode read) {
        boolean isWord = read.isBoolean() && !plain.equalsIgnoreCase("true") && !plain.equalsIgnoreCase("false");
        boolean isOctal = plain.matches("[-+]?0[0-7]+") && !plain.matches("[-+]?0+");
        return isWord || read.isNumber() && (isOctal || plain.contains("_"));
    }

    private static Optional<JsonNode> number(String plain) {
        boolean isSignOrDigit = plain.matches("[-+0-9].*");
        String digits = isSignOrDigit ? plain.replace("_", "") : plain;
        Optional<BigInteger> integer = isSignOrDigit ? integer(digits) : Optional.empty();
        if (integer.isPresent()) {
            return Optional.of(shortest(integer.get()));
        }
        if (NO_NUMBER.matcher(plain).matches()) {
            return Optional.of(JSON.numberNode(Double.NaN)); // JSON has no such number: refused
        }
        return FLOAT.matcher(digits).matches() ? decimal(digits) : Optional.empty();
    }

    /** Empty if it is not an integer or is longer than 64 bits. */
    private static Optional<BigInteger> integer(String digits) {
        Matcher matcher = INTEGER.matcher(digits);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        BigInteger value = radix(matcher, "hex", 16)
                .or(() -> radix(matcher, "binary", 2))
                .or(() -> radix(matcher, "octal", 8))
                .or(() -> radix(matcher, "decimal", 10))
                .map(found -> matcher.group(1).equals("-") ? found.negate() : found)
                .orElseThrow();
        return Optional.of(value).filter(found -> found.compareTo(SMALLEST) >= 0 && found.compareTo(LARGEST) < 0);
    }

    private static Optional<BigInteger> radix(Matcher matcher, String group, int radix) {
        return Optional.ofNullable(matcher.group(group)).map(digits -> new BigInteger(digits, radix));
    }

    private static JsonNode shortest(BigInteger value) {
        if (value.bitLength() < Integer.SIZE) {
            return JSON.numberNode(value.intValue());
        }
        return value.bitLength() < Long.SIZE ? JSON.numberNode(value.longValue()) : JSON.numberNode(value);
    }

    /** A value without a fraction is an integer in the JSON that is sent; empty if it is too large. */
    private static Optional<JsonNode> decimal(String digits) {
        double value = Double.parseDouble(digits);
        if (Double.isInfinite(value)) {
            return Optional.empty();
        }
        boolean isInteger = value == Math.rint(value) && Math.abs(value) < 1e21;
        return Optional.of(isInteger ? shortest(BigDecimal.valueOf(value).toBigInteger()) : JSON.numberNode(value));
    }
}
