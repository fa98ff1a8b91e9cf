package dev.fakegpu.hardware.inventory.field;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.dra.NetworkData;
import dev.fakegpu.dra.RawJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The data that a driver writes about a network device beside its network data. Strings can contain placeholders such as {@code $(ip0)}.
 */
public final class StatusData {

    /** The API server accepts 10 KiB, including what the operator writes itself. */
    private static final int MAX_BYTES = 4096;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\(([^)]*)\\)");

    private StatusData() {}

    /** @param example the values of the placeholders for an example share */
    static void check(String field, ObjectNode template, NetworkData example, Problems problems) {
        template.fieldNames().forEachRemaining(name -> {
            if (NetworkData.RESERVED.contains(name)) {
                problems.add(field + "." + name, name, "is written by the operator", "other names");
            }
        });
        Map<String, String> values = values(example, "");
        map(field, template, (at, text) -> {
            Matcher matcher = PLACEHOLDER.matcher(text);
            while (matcher.find()) {
                if (!values.containsKey(matcher.group(1))) {
                    problems.add(
                            at,
                            text,
                            "has " + matcher.group() + ", which there is not",
                            "$(" + String.join("), $(", values.keySet()) + ")");
                }
            }
            return text;
        });
        if (filled(template, example, "").text().getBytes(UTF_8).length > MAX_BYTES) {
            problems.add(field, "…", "is too long", "at most " + MAX_BYTES + " bytes of JSON");
        }
    }

    /**
     * @param template must have been accepted by {@link #check}
     * @param shareId null if the device is not shared
     */
    static RawJson filled(ObjectNode template, NetworkData network, @Nullable String shareId) {
        Map<String, String> values = values(network, Objects.requireNonNullElse(shareId, ""));
        return RawJson.of(map(
                "",
                template,
                (at, text) -> PLACEHOLDER
                        .matcher(text)
                        .replaceAll(
                                match -> Matcher.quoteReplacement(values.getOrDefault(match.group(1), whole(match))))));
    }

    private static String whole(MatchResult match) {
        return match.group();
    }

    private static Map<String, String> values(NetworkData network, String share) {
        var values = new LinkedHashMap<String, String>();
        values.put("share", share);
        values.put("hardwareAddress", network.hardwareAddress());
        if (network.interfaceName() != null) {
            values.put("interfaceName", network.interfaceName());
        }
        for (int i = 0; i < network.ips().size(); i++) {
            values.put("ip" + i, network.ips().get(i));
        }
        return values;
    }

    /**
     * A copy with other strings. Fields are sorted by name, as the API server does when it applies a patch.
     *
     * @param change takes the field and the string
     */
    public static JsonNode map(String field, JsonNode node, BinaryOperator<String> change) {
        if (node instanceof ObjectNode object) {
            var copy = JsonNodeFactory.instance.objectNode();
            object.properties().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(
                            each -> copy.set(each.getKey(), map(field + "." + each.getKey(), each.getValue(), change)));
            return copy;
        }
        if (node instanceof ArrayNode array) {
            var copy = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < array.size(); i++) {
                copy.add(map(field + "[" + i + "]", array.get(i), change));
            }
            return copy;
        }
        return node instanceof TextNode text ? TextNode.valueOf(change.apply(field, text.textValue())) : node;
    }
}
