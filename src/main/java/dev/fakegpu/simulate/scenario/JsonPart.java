package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Compares a part of an object, as written in a scenario, with the object. In a map, the given fields must exist. In a list, each given
 * item must match a different item of the list. In a text, {@code *} matches any characters. Null and empty values mean that the field must
 * be absent or empty.
 */
final class JsonPart {
    private static final Pattern QUANTITY = Pattern.compile("\\d{1,18}(\\.\\d{1,9})?([KMGTPE]i|[numkMGTPE])?");

    private JsonPart() {}

    /** One sentence for each field that differs; empty if the whole part matches. */
    static List<String> differences(JsonNode part, JsonNode object) {
        var differences = new ArrayList<String>();
        if (!part.isObject() || !part.isEmpty()) {
            compare("", part, object, differences);
        }
        return differences;
    }

    static boolean covers(JsonNode object, JsonNode part) {
        return differences(part, object).isEmpty();
    }

    /** The part without texts that contain {@code *}, since these may not be valid values of their fields. */
    static JsonNode withoutPatterns(JsonNode part) {
        JsonNode copy = part.deepCopy();
        removePatterns(copy);
        return copy;
    }

    private static void removePatterns(JsonNode json) {
        if (json instanceof ObjectNode object) {
            object.properties().removeIf(field -> isPattern(field.getValue()));
        }
        json.forEach(JsonPart::removePatterns);
    }

    private static boolean isPattern(JsonNode json) {
        return json.isTextual() && json.asText().contains("*");
    }

    private static void compare(String path, JsonNode part, JsonNode actual, List<String> differences) {
        if (isNothing(part)) {
            if (!isNothing(actual)) {
                differences.add(path + " is " + shown(actual));
            }
        } else if (part.isObject() && (actual.isObject() || isNothing(actual))) {
            part.properties()
                    .forEach(field -> compare(
                            path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                            field.getValue(),
                            actual.path(field.getKey()),
                            differences));
        } else if (part.isArray() && actual.isArray()) {
            items(path, part, actual, differences);
        } else if (part.isContainerNode() || actual.isContainerNode() || !isSame(part.asText(), actual.asText())) {
            differences.add(path + " is " + shown(actual));
        }
    }

    private static void items(String path, JsonNode part, JsonNode actual, List<String> differences) {
        var left = new ArrayList<JsonNode>();
        actual.forEach(left::add);
        for (JsonNode item : part) {
            var found = left.stream().filter(each -> covers(each, item)).findFirst();
            if (found.isEmpty()) {
                differences.add(path + " is " + shown(actual));
                return;
            }
            left.remove(found.get());
        }
    }

    /** Compares quantities by amount, since the API server may write them differently. */
    private static boolean isSame(String part, String actual) {
        return isLike(part, actual)
                || (isQuantity(part) && isQuantity(actual) && amount(part).equals(amount(actual)));
    }

    private static boolean isQuantity(String text) {
        return QUANTITY.matcher(text).matches();
    }

    private static BigDecimal amount(String quantity) {
        return Quantity.getAmountInBytes(new Quantity(quantity)).stripTrailingZeros();
    }

    private static boolean isNothing(JsonNode json) {
        return json.isMissingNode() || json.isNull() || (json.isContainerNode() && json.isEmpty());
    }

    private static String shown(JsonNode json) {
        return isNothing(json) ? "missing" : json.toString();
    }

    /** Whether a text matches a pattern in which {@code *} matches any characters. */
    static boolean isLike(String pattern, String text) {
        return Pattern.compile(Pattern.quote(pattern).replace("*", "\\E.*\\Q"), Pattern.DOTALL)
                .matcher(text)
                .matches();
    }
}
