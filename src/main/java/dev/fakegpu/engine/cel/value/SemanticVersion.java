package dev.fakegpu.engine.cel.value;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import java.math.BigInteger;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A version in the format of Semantic Versioning 2.0.0. Two versions are equal if neither has precedence, so build metadata does not count.
 * Upstream parses with {@code github.com/blang/semver/v4}.
 */
public final class SemanticVersion implements Comparable<SemanticVersion>, OpaqueValue {

    public static final CelType TYPE = OpaqueType.create("kubernetes.Semver");

    private static final String NUMBER = "(0|[1-9]\\d*+)";
    private static final String IDENTIFIERS = "([0-9A-Za-z-]++(?:\\.[0-9A-Za-z-]++)*+)";
    private static final Pattern SYNTAX = Pattern.compile(
            NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-" + IDENTIFIERS + ")?(?:\\+" + IDENTIFIERS + ")?");
    private static final Pattern LEADING_ZEROS = Pattern.compile("(^|\\.)0+(?=\\d)");

    /** The number of digits of the largest unsigned integer. */
    private static final int MOST_DIGITS = 20;

    private final List<BigInteger> numbers;
    private final List<String> preRelease;
    private final String text;

    private SemanticVersion(List<BigInteger> numbers, List<String> preRelease, String text) {
        this.numbers = numbers;
        this.preRelease = preRelease;
        this.text = text;
    }

    /** @throws IllegalArgumentException if {@code text} is not a semantic version; the message quotes it */
    public static SemanticVersion parse(String text) {
        Matcher syntax = SYNTAX.matcher(text);
        if (!syntax.matches()) {
            throw invalid(text);
        }
        if (Stream.of(1, 2, 3).anyMatch(group -> syntax.end(group) - syntax.start(group) > MOST_DIGITS)) {
            throw invalid(text);
        }
        var numbers = List.of(number(syntax, 1), number(syntax, 2), number(syntax, 3));
        if (numbers.stream().anyMatch(number -> number.bitLength() > Long.SIZE)) {
            throw invalid(text);
        }
        List<String> preRelease =
                syntax.group(4) == null ? List.of() : List.of(syntax.group(4).split("\\."));
        if (preRelease.stream().anyMatch(part -> isNumber(part) && part.length() > 1 && part.startsWith("0"))) {
            throw invalid(text);
        }
        return new SemanticVersion(numbers, preRelease, text);
    }

    /**
     * Also accepts {@code v1.2} and {@code 1.02.3}: drops a leading {@code v} and leading zeros, and treats missing parts as zero.
     *
     * @throws IllegalArgumentException if {@code text} is still not a version; the message quotes it
     */
    public static SemanticVersion parseLenient(String text) {
        String version = text.startsWith("v") ? text.substring(1) : text;
        int suffix = indexOfSuffix(version);
        String core = LEADING_ZEROS.matcher(version.substring(0, suffix)).replaceAll("$1");
        long parts = core.chars().filter(c -> c == '.').count() + 1;
        boolean isShort = parts < 3;
        if (isShort && suffix < version.length()) {
            throw invalid(text);
        }
        return parse(core + ".0".repeat((int) Math.max(0, 3 - parts)) + version.substring(suffix));
    }

    private static int indexOfSuffix(String version) {
        for (int i = 0; i < version.length(); i++) {
            if (version.charAt(i) == '-' || version.charAt(i) == '+') {
                return i;
            }
        }
        return version.length();
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("\"" + text + "\" is not a semantic version");
    }

    private static BigInteger number(Matcher syntax, int group) {
        return new BigInteger(syntax.group(group));
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    public long major() {
        return numbers.get(0).longValue();
    }

    public long minor() {
        return numbers.get(1).longValue();
    }

    public long patch() {
        return numbers.get(2).longValue();
    }

    @Override
    public int compareTo(SemanticVersion other) {
        for (int i = 0; i < numbers.size(); i++) {
            int order = numbers.get(i).compareTo(other.numbers.get(i));
            if (order != 0) {
                return order;
            }
        }
        return comparePreRelease(preRelease, other.preRelease);
    }

    /** A version without pre-release parts comes after all of its pre-releases. */
    private static int comparePreRelease(List<String> left, List<String> right) {
        if (left.isEmpty() || right.isEmpty()) {
            return Boolean.compare(left.isEmpty(), right.isEmpty());
        }
        for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            Steps.take(1);
            int order = compareIdentifiers(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static int compareIdentifiers(String left, String right) {
        Steps.parse(left);
        Steps.parse(right);
        boolean isNumber = isNumber(left);
        if (isNumber != isNumber(right)) {
            return isNumber ? -1 : 1;
        }
        // Numbers have no leading zeros, so the longer one is larger.
        return isNumber && left.length() != right.length()
                ? Integer.compare(left.length(), right.length())
                : Integer.signum(left.compareTo(right));
    }

    @Override
    public CelType type() {
        return TYPE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SemanticVersion that
                && numbers.equals(that.numbers)
                && preRelease.equals(that.preRelease);
    }

    @Override
    public int hashCode() {
        return 31 * numbers.hashCode() + preRelease.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
