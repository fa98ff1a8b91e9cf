package dev.fakegpu.engine.cel.library;

import com.google.common.io.BaseEncoding;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.engine.cel.value.NamedFormat;
import dev.fakegpu.engine.cel.value.Url;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code format.dns1123Label().validate("x")}. Its explanations are shorter than upstream's.
 * Upstream: {@code apiserver/pkg/cel/library/format.go}.
 */
final class NamedFormatLibrary extends FunctionLibrary {

    private static final CelType TYPE = NamedFormat.TYPE;

    private static final Pattern UUID =
            Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final Pattern TIME = Pattern.compile("(\\d{2}):(\\d{2}):(\\d{2})(?:.\\d+)?(?:z|[+-]\\d{2}:\\d{2})");

    private final Map<String, NamedFormat> formats = new LinkedHashMap<>();

    NamedFormatLibrary() {
        names();
        values();
        formats.forEach((name, format) -> global("format." + name, "format." + name, TYPE, types(), args -> format));
        global(
                "format.named",
                "format-named",
                OptionalType.create(TYPE),
                SimpleType.STRING,
                (String name) -> Optional.ofNullable(formats.get(name)));
        member(
                "validate",
                "format-validate",
                OptionalType.create(ListType.create(SimpleType.STRING)),
                TYPE,
                SimpleType.STRING,
                NamedFormatLibrary::validate);
    }

    private void names() {
        add("dns1123Label", 30, NamedFormat::isDnsLabel);
        add("dns1123Subdomain", 60, NamedFormat::isDnsSubdomain);
        add("dns1035Label", 30, NamedFormat::isDns1035Label);
        add("qualifiedName", 60, NamedFormat::isQualifiedName);
        add("dns1123LabelPrefix", 30, NamedFormat.prefixOf(NamedFormat::isDnsLabel));
        add("dns1123SubdomainPrefix", 60, NamedFormat.prefixOf(NamedFormat::isDnsSubdomain));
        add("dns1035LabelPrefix", 30, NamedFormat.prefixOf(NamedFormat::isDns1035Label));
        add("labelValue", 40, NamedFormat::isLabelValue);
    }

    /** The lengths are those of the expressions in {@code kube-openapi/pkg/validation/strfmt} and in govalidator. */
    private void values() {
        add("uri", 1103, Url::isRequestUri);
        add("uuid", 70, text -> UUID.matcher(text).matches());
        add("byte", 84, NamedFormatLibrary::isBase64);
        add("date", 71, NamedFormatLibrary::isDate);
        add("datetime", 71, NamedFormatLibrary::isDateTime);
    }

    private void add(String name, long regexLength, Predicate<String> test) {
        formats.put(name, new NamedFormat(name, regexLength, test));
    }

    private static Optional<List<String>> validate(NamedFormat format, String text) {
        return format.test().test(text) ? Optional.empty() : Optional.of(List.of("is not a valid " + format.name()));
    }

    private static boolean isBase64(String text) {
        return text.length() % 4 == 0
                && !text.isEmpty()
                && BaseEncoding.base64().canDecode(text);
    }

    private static boolean isDate(String text) {
        try {
            return DATE.matcher(text).matches() && LocalDate.parse(text).getYear() >= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        String[] parts = text.toLowerCase(Locale.ROOT).split("t", -1);
        if (parts.length < 2 || !isDate(parts[0])) {
            return false;
        }
        Matcher time = TIME.matcher(parts[1]);
        return time.matches()
                && time.group(1).compareTo("23") <= 0
                && time.group(2).compareTo("59") <= 0
                && time.group(3).compareTo("59") <= 0;
    }
}
