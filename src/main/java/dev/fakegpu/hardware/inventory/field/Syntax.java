package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.dra.Limits;
import java.util.regex.Pattern;

/** Formats that the API server requires in ResourceSlices ({@code pkg/apis/resource/validation}). */
public enum Syntax {
    DNS_LABEL(
            Patterns.LABEL,
            Limits.LABEL,
            "a DNS label: lower case letters, digits and '-', a letter or digit at both ends, at most " + Limits.LABEL
                    + " characters"),
    FAKEGPU_NAME(
            Patterns.LABEL,
            40,
            "a DNS label of at most 40 characters, for it becomes a part of pool, node and slice names"),
    DRIVER(
            Patterns.SUBDOMAIN,
            Limits.DRIVER_NAME,
            "a DNS subdomain of at most " + Limits.DRIVER_NAME + " characters, for example gpu.example.com"),
    QUALIFIED_NAME(
            "(?:" + Patterns.DOMAIN + ")?" + Patterns.IDENTIFIER,
            Limits.DOMAIN + 1 + Limits.IDENTIFIER,
            "a C identifier of at most " + Limits.IDENTIFIER
                    + " characters, optionally after a DNS subdomain of at most " + Limits.DOMAIN
                    + " characters and '/'"),
    FULLY_QUALIFIED_NAME(
            Patterns.DOMAIN + Patterns.IDENTIFIER,
            Limits.DOMAIN + 1 + Limits.IDENTIFIER,
            "an attribute's name, with or without a domain, for example type or gpu.example.com/type"),
    LABEL_NAME(
            "(?:(?=[^/]{1,253}/)" + Patterns.SUBDOMAIN + "/)?(?=[^/]{1,63}$)[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?",
            253 + 1 + 63,
            "a label name: at most 63 letters, digits, '-', '_' and '.', a letter or digit at both ends, optionally after a DNS"
                    + " subdomain and '/'"),
    LABEL_VALUE(
            "(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?",
            63,
            "a label value: at most 63 letters, digits, '-', '_' and '.', a letter or digit at both ends"),
    NODE_NAME(
            Patterns.SUBDOMAIN,
            Limits.SUBDOMAIN,
            "a node's name: a DNS subdomain of at most " + Limits.SUBDOMAIN + " characters"),
    DELAY(FaultSpec.DELAY, 5, "1ms to 999ms, or 1s to 44s"),
    AFTER(FaultSpec.AFTER, 6, "0 to 99999 and a unit, s, m or h"),
    FOR(FaultSpec.FOR, 6, "1 to 99999 and a unit, s, m or h"),
    INDEX_NAME(CustomSpec.Repeat.NAME, 16, "lower case letters and digits, a letter first, at most 16"),
    INTEGER("-?\\d{1,18}", 19, "an integer"),
    SEMANTIC_VERSION(
            Patterns.SEMVER,
            Limits.ATTRIBUTE_VALUE_BYTES,
            "a semantic version, such as 12.4.0, of at most " + Limits.ATTRIBUTE_VALUE_BYTES + " characters");

    private final Pattern pattern;
    private final int maxLength;
    private final String description;

    Syntax(String regex, int maxLength, String description) {
        this.pattern = Pattern.compile(regex);
        this.maxLength = maxLength;
        this.description = description;
    }

    public boolean matches(String text) {
        return text.length() <= maxLength && pattern.matcher(text).matches();
    }

    /** Whether all characters are valid, regardless of the length. */
    public boolean hasFormat(String text) {
        return pattern.matcher(text).matches();
    }

    /** Describes the format as text. */
    public String description() {
        return description;
    }

    /** A separate class, because enum constants cannot refer to static fields of their own enum. */
    private static final class Patterns {
        static final String LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
        static final String SUBDOMAIN = LABEL + "(?:\\." + LABEL + ")*";
        static final String DOMAIN = "(?=[^/]{1," + Limits.DOMAIN + "}/)" + SUBDOMAIN + "/";
        static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]{0," + (Limits.IDENTIFIER - 1) + "}";
        static final String NUMBER = "(?:0|[1-9]\\d*)";
        static final String PRE_RELEASE = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
        static final String BUILD = "[0-9a-zA-Z-]+";
        static final String SEMVER = NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-" + PRE_RELEASE + "(?:\\."
                + PRE_RELEASE + ")*)?(?:\\+" + BUILD + "(?:\\." + BUILD + ")*)?";
    }
}
