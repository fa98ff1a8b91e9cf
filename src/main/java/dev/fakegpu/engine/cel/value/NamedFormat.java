package dev.fakegpu.engine.cel.value;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A string format with a name in Kubernetes, such as {@code dns1123Label}.
 *
 * @param name the name in expressions
 * @param regexLength the length of its regular expression, from which upstream computes costs
 * @param test whether a string has the format
 */
public record NamedFormat(String name, long regexLength, Predicate<String> test) implements OpaqueValue {

    public static final CelType TYPE = OpaqueType.create("kubernetes.NamedFormat");

    private static final int MAX_LABEL = 63;
    private static final int MAX_SUBDOMAIN = 253;
    private static final String LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
    private static final Pattern DNS_LABEL = Pattern.compile(LABEL);
    private static final Pattern DNS_SUBDOMAIN = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
    private static final Pattern DNS_1035_LABEL = Pattern.compile("[a-z](?:[-a-z0-9]*[a-z0-9])?");
    private static final Pattern QUALIFIED_PART = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");

    public static boolean isDnsLabel(String text) {
        return text.length() <= MAX_LABEL && DNS_LABEL.matcher(text).matches();
    }

    public static boolean isDns1035Label(String text) {
        return text.length() <= MAX_LABEL && DNS_1035_LABEL.matcher(text).matches();
    }

    public static boolean isDnsSubdomain(String text) {
        return text.length() <= MAX_SUBDOMAIN && DNS_SUBDOMAIN.matcher(text).matches();
    }

    public static boolean isLabelValue(String text) {
        return text.isEmpty() || isQualifiedPart(text);
    }

    private static boolean isQualifiedPart(String text) {
        return text.length() <= MAX_LABEL && QUALIFIED_PART.matcher(text).matches();
    }

    public static boolean isQualifiedName(String text) {
        String[] parts = text.split("/", -1);
        if (parts.length > 2) {
            return false;
        }
        return isQualifiedPart(parts[parts.length - 1]) && (parts.length == 1 || isDnsSubdomain(parts[0]));
    }

    /** The format of a prefix of names, as in {@code generateName}, which may end with a dash. */
    public static Predicate<String> prefixOf(Predicate<String> format) {
        return text -> format.test(
                text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text);
    }

    @Override
    public CelType type() {
        return TYPE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NamedFormat that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }
}
