package dev.fakegpu.hardware.catalog;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.CustomSpec;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks a tree against the records that it is parsed into. Jackson's errors name Java classes, whereas the problems here name the fields
 * of the file.
 */
final class ModelShape {

    private static final int MAX_PROBLEMS = 10;
    private static final int MAX_VALUE_SHOWN = 60;

    private final List<ModelProblem> problems = new ArrayList<>();

    private ModelShape() {}

    /** The first problems found; empty if all fields have the right names and types. */
    static List<ModelProblem> problems(JsonNode tree, Class<?> type) {
        var shape = new ModelShape();
        shape.checkRecord("", tree, type);
        return shape.problems.stream().limit(MAX_PROBLEMS).toList();
    }

    private void checkRecord(String path, JsonNode node, Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        String known = fields(type);
        if (!node.isObject()) {
            add(path, node, "is not an object", "an object with " + known);
            return;
        }
        node.properties().stream()
                .filter(field -> Arrays.stream(components)
                        .noneMatch(component -> component.getName().equals(field.getKey())))
                .forEach(field -> add(at(path, field.getKey()), field.getValue(), "is not a field of a model", known));
        for (RecordComponent component : components) {
            checkField(at(path, component.getName()), node.get(component.getName()), component.getAnnotatedType());
        }
    }

    private static String fields(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.joining(", "));
    }

    private void checkField(String path, @Nullable JsonNode node, AnnotatedType type) {
        if (node != null && !node.isNull()) {
            checkValue(path, node, type.getType());
        } else if (!isNullable(type)) {
            problems.add(new ModelProblem(path, "", "is missing", words(type.getType())));
        }
    }

    private void checkValue(String path, JsonNode node, Type type) {
        if (type == CustomSpec.class && node.isObject()) {
            return; // the API defines the format of this type; errors are reported when it is read
        }
        if (type instanceof ParameterizedType generic) {
            checkContainer(path, node, generic);
        } else if (type instanceof Class<?> record && record.isRecord()) {
            checkRecord(path, node, record);
        } else if (!fits(node, type)) {
            add(path, node, "is of the wrong type", words(type));
        }
    }

    private void checkContainer(String path, JsonNode node, ParameterizedType type) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == Map.class && node.isObject()) {
            node.properties().stream()
                    .filter(entry ->
                            !entry.getValue().isValueNode() || entry.getValue().isNull())
                    .forEach(entry -> add(at(path, entry.getKey()), entry.getValue(), "is not text", "a text"));
        } else if (type.getRawType() == List.class && node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                JsonNode element = node.get(i);
                String key = element.path("name").asText(String.valueOf(i));
                checkValue(path + "[" + key + "]", element, arguments[0]);
            }
        } else {
            add(path, node, "is of the wrong type", words(type));
        }
    }

    private static boolean fits(JsonNode node, Type type) {
        if (type == int.class || type == Integer.class) {
            return node.isIntegralNumber() && node.canConvertToInt();
        }
        return type == boolean.class ? node.isBoolean() : node.isTextual();
    }

    private static String words(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class ? "a list" : "an object with texts";
        }
        if (type instanceof Class<?> record && record.isRecord()) {
            return "an object with " + fields(record);
        }
        if (type == boolean.class) {
            return "true or false";
        }
        return type == String.class ? "a text" : "a whole number of at most 32 bits";
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private void add(String path, JsonNode value, String problem, String allowed) {
        String text = value.isValueNode() ? value.asText() : value.toString();
        problems.add(new ModelProblem(
                path,
                text.length() > MAX_VALUE_SHOWN ? text.substring(0, MAX_VALUE_SHOWN) + "..." : text,
                problem,
                allowed));
    }

    private static String at(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}
