package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FaultSpec;
import java.util.regex.Pattern;

/** Formats that the API server requires in ResourceSlices ({@code pkg/apis/resource/validation}). */
public enum Syntax {
    DNS_LABEL(
            Patterns.LABEL,
            63,
            "a DNS label: lower case letters, digits and '-', a letter or digit at both ends, at most 63 characters"),
    FAKEGPU_NAME(
            Patterns.LABEL,
            40,
            "a DNS label of at most 40 characters, for it becomes a part of pool, node and slice names"),
    DRIVER(Patterns.SUBDOMAIN, 63, "a DNS subdomain of at most 63 characters, for example gpu.example.com"),
    QUALIFIED_NAME(
            "(?:(?=[^/]{1,63}/)" + Patterns.SUBDOMAIN + "/)?[A-Za-z_][A-Za-z0-9_]{0,31}",
            63 + 1 + 32,
            "a C identifier of at most 32 characters, optionally after a DNS subdomain of at most 63 characters and '/'"),
    FULLY_QUALIFIED_NAME(
            "(?=[^/]{1,63}/)" + Patterns.SUBDOMAIN + "/[A-Za-z_][A-Za-z0-9_]{0,31}",
            63 + 1 + 32,
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
    NODE_NAME(Patterns.SUBDOMAIN, 253, "a node's name: a DNS subdomain of at most 253 characters"),
    DELAY(FaultSpec.DELAY, 5, "1ms to 999ms, or 1s to 44s"),
    AFTER(FaultSpec.AFTER, 6, "0 to 99999 and a unit, s, m or h"),
    INDEX_NAME(CustomSpec.Repeat.NAME, 16, "lower case letters and digits, a letter first, at most 16"),
    INTEGER("-?\\d{1,18}", 19, "an integer"),
    SEMANTIC_VERSION(Patterns.SEMVER, 64, "a semantic version 2.0.0 of at most 64 characters, for example 12.4.0");

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

    /** Describes the format in words. */
    public String description() {
        return description;
    }

    /** A separate class, because enum constants cannot refer to static fields of their own enum. */
    private static final class Patterns {
        static final String LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
        static final String SUBDOMAIN = LABEL + "(?:\\." + LABEL + ")*";
        static final String NUMBER = "(?:0|[1-9]\\d*)";
        static final String PRE_RELEASE = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
        static final String BUILD = "[0-9a-zA-Z-]+";
        static final String SEMVER = NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-" + PRE_RELEASE + "(?:\\."
                + PRE_RELEASE + ")*)?(?:\\+" + BUILD + "(?:\\." + BUILD + ")*)?";
    }
}
