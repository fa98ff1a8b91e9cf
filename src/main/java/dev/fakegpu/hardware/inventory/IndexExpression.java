package dev.fakegpu.hardware.inventory;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The content of braces in texts of repeated hardware. It is the name of a value or a calculation with indexes, such as
 * {@code 2*core+thread}. In texts, the number of digits can follow after a colon, as in <code>{2*core+thread:03}</code>, or for hexadecimal
 * <code>{vf+1:02x}</code>.
 */
final class IndexExpression {

    /** A name or calculation in braces, and the format of the number. */
    static final Pattern IN_TEXT = Pattern.compile("\\{([a-z0-9(][a-zA-Z0-9+*/%()]*)(?::0([1-9])(x?))?}");

    private static final Pattern TOKEN = Pattern.compile("[a-zA-Z][a-zA-Z0-9]*|[0-9]{1,9}|[+*/%()]");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z][a-zA-Z0-9]*");

    /** The maximum number of tokens of an expression, since parentheses are parsed by recursion. */
    private static final int MAX_TOKENS = 100;

    private final List<String> tokens;
    private final Map<String, String> values;
    private int next;

    private IndexExpression(String expression, Map<String, String> values) {
        this.tokens = tokens(expression);
        this.values = values;
    }

    private static List<String> tokens(String expression) {
        return TOKEN.matcher(expression).results().map(MatchResult::group).toList();
    }

    /** The names that an expression uses. */
    static List<String> names(String expression) {
        return tokens(expression).stream()
                .filter(token -> NAME.matcher(token).matches())
                .toList();
    }

    /** The text with all expressions replaced by their values. */
    static String inText(String text, Map<String, String> values) {
        return text.indexOf('{') < 0 ? text : IN_TEXT.matcher(text).replaceAll(match -> written(match, values));
    }

    private static String written(MatchResult match, Map<String, String> values) {
        String expression = match.group(1);
        String digits = match.group(2);
        if (digits == null) {
            String value = values.get(expression);
            return value == null ? String.valueOf(number(expression, values)) : value;
        }
        String format = "%0" + digits + (match.group(3).isEmpty() ? "d" : "x");
        return String.format(Locale.ROOT, format, number(expression, values));
    }

    /**
     * The value of the expression.
     *
     * @throws IllegalArgumentException if it has none
     */
    static long number(String expression, Map<String, String> values) {
        var parser = new IndexExpression(expression, values);
        String others = TOKEN.matcher(expression).replaceAll("").replace(" ", "");
        if (!others.isEmpty()) {
            String first = others.substring(0, others.offsetByCodePoints(0, 1));
            throw new IllegalArgumentException("has \"" + first + "\", which calculations do not have");
        }
        if (parser.tokens.size() > MAX_TOKENS) {
            throw new IllegalArgumentException("has more than " + MAX_TOKENS + " numbers, names and operators");
        }
        try {
            long sum = parser.sum();
            if (parser.peek() == null) {
                return sum;
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "/ by zero".equals(e.getMessage()) ? "divides by zero" : "comes to too large a number", e);
        }
        throw new IllegalArgumentException("has \"" + parser.peek() + "\" where it should end");
    }

    private long sum() {
        long sum = product();
        while ("+".equals(peek())) {
            next++;
            sum = Math.addExact(sum, product());
        }
        return sum;
    }

    private long product() {
        long product = factor();
        while (peek() != null && List.of("*", "/", "%").contains(peek())) {
            String operator = tokens.get(next++);
            long factor = factor();
            product = switch (operator) {
                case "*" -> Math.multiplyExact(product, factor);
                case "/" -> product / factor;
                default -> product % factor;
            };
        }
        return product;
    }

    private long factor() {
        String token = peek();
        next++;
        if (token == null || List.of("+", "*", "/", "%", ")").contains(token)) {
            throw new IllegalArgumentException("has no number where there should be one");
        }
        if (!token.equals("(")) {
            return value(token);
        }
        long sum = sum();
        if (!")".equals(peek())) {
            throw new IllegalArgumentException("has a parenthesis that is not closed");
        }
        next++;
        return sum;
    }

    private long value(String token) {
        try {
            return Long.parseLong(values.getOrDefault(token, token));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("calculates with " + token + ", which is not a number", e);
        }
    }

    private @Nullable String peek() {
        return next < tokens.size() ? tokens.get(next) : null;
    }
}
