package dev.fakegpu.cluster.validation;

import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The formats of names, with the messages of {@code k8s.io/apimachinery/pkg/api/validate/content} for names that do not match. */
final class NameFormat {

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String SUBDOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final String LABEL_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String LABEL_VALUE = "(" + LABEL_KEY + ")?";
    private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
    private static final String CHARACTERS = "characters";
    private static final String BYTES = "bytes";
    private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
    private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);
    private static final Pattern LABEL_KEY_PATTERN = Pattern.compile(LABEL_KEY);
    private static final Pattern LABEL_VALUE_PATTERN = Pattern.compile(LABEL_VALUE);
    private static final Pattern IDENTIFIER_PATTERN = Pattern.compile(IDENTIFIER);
    private static final String OF_LABEL_KEYS =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g."
                    + " 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '" + LABEL_KEY + "')";

    private NameFormat() {}

    /** The problems of a DNS label ({@code IsDNS1123Label}); empty if it is valid. */
    static List<String> label(String value) {
        var problems = maximum(value, Limits.LABEL, "", CHARACTERS);
        if (!LABEL_PATTERN.matcher(value).matches()) {
            problems.add(
                    SUBDOMAIN_PATTERN.matcher(value).matches()
                            ? "must not contain dots"
                            : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and"
                                    + " end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '"
                                    + LABEL + "')");
        }
        return problems;
    }

    /** The problems of a DNS subdomain ({@code IsDNS1123Subdomain}). */
    static List<String> subdomain(String value) {
        return subdomain(value, CHARACTERS);
    }

    private static List<String> subdomain(String value, String unit) {
        var problems = maximum(value, Limits.SUBDOMAIN, "", unit);
        if (!SUBDOMAIN_PATTERN.matcher(value).matches()) {
            problems.add(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start"
                            + " and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"
                            + SUBDOMAIN + "')");
        }
        return problems;
    }

    /** The problems of the name of a label or extended resource ({@code IsLabelKey}). */
    static List<String> labelKey(String value) {
        String[] parts = value.split("/", -1);
        if (parts.length > 2) {
            return List.of("a valid label key " + OF_LABEL_KEYS
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        var problems = new ArrayList<String>();
        if (parts.length == 2 && parts[0].isEmpty()) {
            problems.add("prefix part must be non-empty");
        } else if (parts.length == 2) {
            subdomain(parts[0], BYTES).forEach(problem -> problems.add("prefix part " + problem));
        }
        String name = parts[parts.length - 1];
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        } else {
            problems.addAll(maximum(name, Limits.LABEL, "name part ", BYTES));
        }
        if (!LABEL_KEY_PATTERN.matcher(name).matches()) {
            problems.add("name part " + OF_LABEL_KEYS);
        }
        return problems;
    }

    /** The problems of the value of a label ({@code IsLabelValue}). */
    static List<String> labelValue(String value) {
        var problems = maximum(value, Limits.LABEL, "", BYTES);
        if (!LABEL_VALUE_PATTERN.matcher(value).matches()) {
            problems.add(
                    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start"
                            + " and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
                            + " validation is '" + LABEL_VALUE + "')");
        }
        return problems;
    }

    /** Whether it is the name of an extended resource ({@code IsExtendedResourceName}). */
    static boolean isExtendedResource(String value) {
        return value.contains("/")
                && !value.contains("kubernetes.io/")
                && !value.startsWith("requests.")
                && labelKey("requests." + value).isEmpty();
    }

    /** Adds the problems of a driver's name ({@code ValidateCSIDriverName}). */
    static void driver(String path, String value, FieldErrors errors) {
        if (hasLength(path, value, BYTES, errors)) {
            errors.invalid(path, value, subdomain(value.toLowerCase(Locale.ROOT)));
        }
    }

    /** Adds the problems of a driver's name if the rule is declared on the type ({@code LongNameCaseless}), which has other messages. */
    static void declaredDriver(String path, String value, FieldErrors errors) {
        if (hasLength(path, value, CHARACTERS, errors)
                && !SUBDOMAIN_PATTERN.matcher(value.toLowerCase(Locale.ROOT)).matches()) {
            errors.invalid(
                    path,
                    value,
                    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an"
                            + " alphanumeric character (e.g. 'Example.com', regex used for validation is '"
                            + SUBDOMAIN + "')");
        }
    }

    private static boolean hasLength(String path, String value, String unit, FieldErrors errors) {
        if (value.isEmpty()) {
            errors.required(path, "");
        } else if (value.length() > Limits.DRIVER_NAME) {
            errors.tooLong(path, Limits.DRIVER_NAME, unit);
        }
        return !value.isEmpty();
    }

    /** Adds the problems of a pool's name ({@code validatePoolName}). */
    static void pool(String path, String value, FieldErrors errors) {
        if (value.isEmpty()) {
            errors.required(path, "");
            return;
        }
        if (value.length() > Limits.SUBDOMAIN) {
            errors.tooLong(path, Limits.SUBDOMAIN);
        }
        for (String part : value.split("/", -1)) {
            errors.invalid(path, part, subdomain(part));
        }
    }

    /** Adds the problems of the name of an attribute in a constraint, which must have a domain ({@code ResourceFullyQualifiedName}). */
    static void attribute(String path, String value, FieldErrors errors) {
        String[] parts = value.split("/", -1);
        if (parts.length == 2) {
            domain(path, parts[0], errors);
        }
        if (parts.length == 2 && parts[1].isEmpty()) {
            errors.invalid(path, "", "name must not be empty");
        } else if (parts.length <= 2) {
            identifier(path, parts[parts.length - 1], errors);
        }
        if (parts.length == 1) {
            errors.invalid(path, value, "a fully qualified name must be a domain and a name separated by a slash");
        }
    }

    /** Adds the problems of the name of an attribute or capacity, which may have a domain ({@code validateQualifiedName}). */
    static void qualified(String path, String value, FieldErrors errors) {
        String[] parts = value.split("/", -1);
        if (parts.length > 2) {
            return; // Kubernetes accepts more than one slash, and has a comment about it
        }
        if (parts.length == 2 && parts[0].isEmpty()) {
            errors.invalid(path, "", "the domain must not be empty");
        } else if (parts.length == 2) {
            driver(path, parts[0], errors);
        }
        String name = parts[parts.length - 1];
        if (parts.length == 2 && name.isEmpty()) {
            errors.invalid(path, "", "the name must not be empty");
        } else {
            identifier(path, name, errors);
        }
    }

    private static void domain(String path, String domain, FieldErrors errors) {
        if (domain.isEmpty()) {
            errors.invalid(path, "", "prefix must not be empty");
            return;
        }
        if (domain.length() > Limits.DOMAIN) {
            errors.tooLong(path, Limits.DOMAIN);
        }
        subdomain(domain, BYTES).forEach(problem -> errors.invalid(path, domain, "prefix: " + problem));
    }

    private static void identifier(String path, String name, FieldErrors errors) {
        if (name.length() > Limits.IDENTIFIER) {
            errors.tooLong(path, Limits.IDENTIFIER);
        }
        if (!IDENTIFIER_PATTERN.matcher(name).matches()) {
            errors.invalid(
                    path,
                    name,
                    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters"
                            + " or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '"
                            + IDENTIFIER + "')");
        }
    }

    /** The two messages of {@code MaxLenError}: that of {@code util/validation}, and that of {@code api/validate/content}. */
    private static List<String> maximum(String value, int maximum, String part, String unit) {
        var problems = new ArrayList<String>();
        if (value.length() > maximum) {
            problems.add(part + "must be no more than " + maximum + " " + unit);
        }
        return problems;
    }
}
