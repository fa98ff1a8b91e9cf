package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.util.FieldProblem;
import dev.fakegpu.util.FieldShape;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Compares JSON that a user wrote with the class that it is read into. It reports unknown fields and values of the wrong shape, each in a
 * sentence with the path.
 */
public final class ManifestFields {

    private static final ObjectMapper JSON = ClientSerialization.mapper();
    private static final Map<JavaType, Map<String, JavaType>> FIELDS = new ConcurrentHashMap<>();

    private static final String CLIENT_CLASSES = HasMetadata.class.getPackageName();
    private static final int MAX_ALLOWED_SHOWN = 20;
    private static final int MAX_VALUE_SHOWN = 80;

    private final List<String> problems = new ArrayList<>();
    private final Set<String> incomplete = new HashSet<>();
    private final Set<String> removed = new HashSet<>();

    private final KubernetesVersion version;

    private ManifestFields(KubernetesVersion version) {
        this.version = version;
    }

    /**
     * The problems, in the order of the fields; empty if there are none. Missing fields and nulls are not problems.
     *
     * @param json an object, or a part of one, such as a merge patch
     * @param type the class of the object
     * @param path the path of the object; if it is empty, the paths of fields are only their names
     */
    public static List<String> problems(JsonNode json, Class<?> type, String path) {
        return readable(json, type, path, KubernetesVersion.NEWEST).problems();
    }

    /**
     * The same problems, and what can be read in spite of them.
     *
     * @param version that of an API server with strict validation, which also refuses the fields of newer versions
     */
    public static ReadableManifest readable(JsonNode json, Class<?> type, String path, KubernetesVersion version) {
        var fields = new ManifestFields(version);
        JsonNode copy = json.deepCopy();
        fields.compare(copy, JSON.constructType(type), new Place(path, path, Map.of()));
        return new ReadableManifest(fields.problems, copy, fields.incomplete, fields.removed);
    }

    /** A copy without the fields of newer versions, which an API server of the version drops without strict validation. */
    public static JsonNode withoutNewer(JsonNode json, Class<?> type, KubernetesVersion version) {
        JsonNode copy = json.deepCopy();
        dropNewer(copy, JSON.constructType(type), version);
        return copy;
    }

    private static void dropNewer(JsonNode json, JavaType type, KubernetesVersion version) {
        if (type.isContainerType()) {
            json.forEach(each -> dropNewer(each, type.getContentType(), version));
        } else if (json instanceof ObjectNode object && isObject(type)) {
            object.remove(object.properties().stream()
                    .map(Map.Entry::getKey)
                    .filter(name -> since(type, name) > version.minor())
                    .toList());
            FIELDS.computeIfAbsent(type, ManifestFields::fields)
                    .forEach((name, inner) -> dropNewer(object.path(name), inner, version));
        }
    }

    /** The first minor version of Kubernetes 1 that has the field; 0 for older ones and those that are not listed. */
    private static int since(JavaType type, String field) {
        return isOfClient(type) ? FieldVersions.since(type.getRawClass(), field) : 0;
    }

    /**
     * The position of a value.
     *
     * @param owner the path of the object that contains it
     * @param fields the fields of that object
     */
    private record Place(String path, String owner, Map<String, JavaType> fields) {

        /** The position of an item of a list or a value of a map; the containing object stays the same. */
        Place at(String index) {
            return new Place(path + "[" + index + "]", owner, fields);
        }

        static String join(String path, String field) {
            return path.isEmpty() ? field : path + "." + field;
        }
    }

    /** Returns whether the value can be read, at least without some of the fields in it, which are removed. */
    private boolean compare(JsonNode json, JavaType type, Place place) {
        if (json.isNull() || type.hasRawClass(Object.class)) {
            return true;
        }
        if (type.isCollectionLikeType()) {
            return json.isArray() ? items(json, type, place) : otherShape(json, type, place.path());
        }
        if (isValue(type)) {
            return value(json, type, place.path());
        }
        if (isOpaque(type)) {
            return true;
        }
        return json instanceof ObjectNode object ? object(object, type, place) : otherShape(json, type, place.path());
    }

    private boolean items(JsonNode list, JavaType type, Place place) {
        boolean areReadable = true;
        for (int i = 0; i < list.size(); i++) {
            areReadable &= compare(list.get(i), type.getContentType(), place.at(String.valueOf(i)));
        }
        return areReadable;
    }

    private boolean object(ObjectNode object, JavaType type, Place place) {
        for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
            boolean isReadable = type.isMapLikeType()
                    ? compare(entry.getValue(), type.getContentType(), place.at(entry.getKey()))
                    : field(object, entry, type, place);
            if (!isReadable) {
                object.remove(entry.getKey());
                incomplete.add(place.path());
                removed.add(
                        type.isMapLikeType()
                                ? place.at(entry.getKey()).path()
                                : Place.join(place.path(), entry.getKey()));
            }
        }
        return true;
    }

    private boolean field(ObjectNode object, Map.Entry<String, JsonNode> field, JavaType type, Place place) {
        Map<String, JavaType> fields = FIELDS.computeIfAbsent(type, ManifestFields::fields);
        String name = field.getKey();
        String at = Place.join(place.path(), name);
        JavaType content = fields.get(name);
        int since = since(type, name);
        if (since > version.minor()) {
            problems.add("%1$s: unknown field \"%1$s\": it is in Kubernetes 1.%2$d or newer, not in %3$s"
                    .formatted(at, since, version));
            return false;
        }
        if (content != null || isNewer(name, type)) {
            return content == null || compare(field.getValue(), content, new Place(at, place.path(), fields));
        }
        Optional<String> elsewhere = elsewhere(name, type, place);
        problems.add(elsewhere
                .map(right -> at + " is not a field (" + right + ")")
                .orElseGet(() -> unknown(at, name, List.copyOf(fields.keySet()))));
        Optional<String> meant = Suggestion.closest(name, fields.keySet())
                .filter(right -> elsewhere.isEmpty() && !object.has(right))
                .filter(right -> compare(
                        field.getValue(),
                        Objects.requireNonNull(fields.get(right)),
                        new Place(at, place.path(), fields)));
        meant.ifPresent(right -> {
            object.set(right, object.remove(name));
            String now = Place.join(place.path(), right);
            move(incomplete, at, now);
            move(removed, at, now);
        });
        return meant.isPresent();
    }

    private static void move(Set<String> paths, String from, String to) {
        List<String> moved =
                paths.stream().filter(path -> ReadableManifest.isIn(path, from)).toList();
        moved.forEach(paths::remove);
        moved.forEach(path -> paths.add(to + path.substring(from.length())));
    }

    /** A hint for a field that the API's types have at another place, or had in an older version. */
    private static Optional<String> elsewhere(String field, JavaType type, Place place) {
        if (!isOfClient(type)) {
            return Optional.empty();
        }
        return MovedField.hint(type.getRawClass().getSimpleName(), field, place.path())
                .or(() -> deeper(field, type, place.path())
                        .or(() -> place.fields().containsKey(field)
                                ? Optional.of(Place.join(place.owner(), field))
                                : Optional.empty())
                        .map(path -> "did you mean \"" + path + "\"?"));
    }

    /** The path of the field in an object that is a field of this one. */
    private static Optional<String> deeper(String field, JavaType type, String path) {
        return FIELDS.computeIfAbsent(type, ManifestFields::fields).entrySet().stream()
                .filter(inner -> isObject(inner.getValue()) && !inner.getKey().equals("metadata"))
                .filter(inner -> FIELDS.computeIfAbsent(inner.getValue(), ManifestFields::fields)
                        .containsKey(field))
                .map(inner -> Place.join(path, inner.getKey()) + "." + field)
                .findFirst();
    }

    static boolean isObject(JavaType type) {
        return !type.isContainerType() && !isValue(type) && !isOpaque(type) && !type.hasRawClass(Object.class);
    }

    private static boolean isNewer(String field, JavaType type) {
        return isOfClient(type) && FieldVersions.isListed(type.getRawClass(), field);
    }

    private static boolean isOfClient(JavaType type) {
        return type.getRawClass().getPackageName().startsWith(CLIENT_CLASSES);
    }

    private boolean value(JsonNode json, JavaType type, String path) {
        Class<?> raw = type.getRawClass();
        boolean isRight;
        if (raw.isEnum()) {
            List<String> names =
                    Arrays.stream(raw.getEnumConstants()).map(String::valueOf).toList();
            isRight = names.contains(json.asText());
            if (!isRight && json.isTextual()) {
                problems.add(FieldProblem.sentence(
                        path, shown(json), "is not known" + Suggestion.hint(json.asText(), names), oneOf(names)));
                return false;
            }
        } else if (FieldShape.isInteger(raw)) {
            isRight = json.isIntegralNumber();
        } else if (raw == Boolean.class || raw == boolean.class) {
            isRight = json.isBoolean();
        } else if (Number.class.isAssignableFrom(raw) || raw.isPrimitive()) {
            isRight = json.isNumber();
        } else {
            isRight = json.isTextual() || (raw != String.class && json.isNumber());
        }
        if (isRight && raw == Quantity.class && !isQuantity(json.asText())) {
            problems.add(FieldProblem.sentence(
                    path,
                    shown(json),
                    "is not a quantity",
                    "a number with an optional suffix, such as 500m, 2 or 40Gi"));
            return false;
        }
        return isRight || otherShape(json, type, path);
    }

    private static boolean isQuantity(String text) {
        try {
            dev.fakegpu.dra.Quantity.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Whether values of the type have no fields: strings, numbers, booleans, and classes that are written as one of these. */
    private static boolean isValue(JavaType type) {
        Class<?> raw = type.getRawClass();
        return raw.isEnum()
                || raw.isPrimitive()
                || raw == String.class
                || raw == Boolean.class
                || Number.class.isAssignableFrom(raw)
                || isScalar(raw);
    }

    /** Whether the class is written as a string or a number. */
    private static boolean isScalar(Class<?> raw) {
        return raw == Quantity.class || raw == IntOrString.class;
    }

    /** Whether the fields are not known, because the class has its own deserializer or anything is allowed. */
    private static boolean isOpaque(JavaType type) {
        if (type.isMapLikeType()) {
            return false;
        }
        var config = JSON.getDeserializationConfig();
        var annotated = config.introspectClassAnnotations(type).getClassInfo();
        return type.isAbstract()
                || type.hasRawClass(FieldsV1.class)
                || config.getAnnotationIntrospector().findDeserializer(annotated) != null
                || JsonNode.class.isAssignableFrom(type.getRawClass());
    }

    static Map<String, JavaType> fields(JavaType type) {
        return JSON.getDeserializationConfig().introspect(type).findProperties().stream()
                .filter(BeanPropertyDefinition::couldDeserialize) // other properties are computed by getters
                .collect(Collectors.toMap(
                        BeanPropertyDefinition::getName,
                        BeanPropertyDefinition::getPrimaryType,
                        (one, other) -> one,
                        TreeMap::new));
    }

    /**
     * The sentence about an unknown field.
     *
     * @param path the path of the field, including its name
     * @param known the names of the known fields
     */
    public static String unknown(String path, String name, List<String> known) {
        String hint = Suggestion.hint(name, known);
        boolean isLong = known.size() > MAX_ALLOWED_SHOWN && !hint.isEmpty();
        return FieldProblem.sentence(path, "", "is not a field" + hint, isLong ? "" : oneOf(known));
    }

    private boolean otherShape(JsonNode json, JavaType type, String path) {
        Class<?> raw = type.getRawClass();
        problems.add(FieldProblem.sentence(
                path,
                shown(json),
                "has another shape",
                isScalar(raw)
                        ? "a string or a number"
                        : FieldShape.of(raw) + inQuotes(json, raw) + example(json, type)));
        return false;
    }

    /** YAML reads an unquoted scalar as a number or boolean if it looks like one. */
    private static String inQuotes(JsonNode json, Class<?> type) {
        return type == String.class && (json.isNumber() || json.isBoolean()) ? " in quotes" : "";
    }

    /**
     * An example of the right shape where an object is expected whose field names the type of its value, as for attributes and capacities.
     */
    private static String example(JsonNode json, JavaType type) {
        if (!json.isValueNode() || !isObject(type)) {
            return "";
        }
        Map<String, JavaType> fields = FIELDS.computeIfAbsent(type, ManifestFields::fields);
        JavaType amount = fields.get("value");
        String kind = json.isBoolean() ? "bool" : json.isIntegralNumber() ? "int" : "string";
        String field = amount != null && amount.hasRawClass(Quantity.class) ? "value" : kind;
        return fields.containsKey(field) ? ", such as {%s: %s}".formatted(field, shown(json)) : "";
    }

    private static String oneOf(List<String> names) {
        return names.stream().limit(MAX_ALLOWED_SHOWN).collect(Collectors.joining(", "))
                + (names.size() > MAX_ALLOWED_SHOWN ? ", ..." : "");
    }

    private static String shown(JsonNode json) {
        String text = json.isTextual() ? json.asText() : json.toString();
        return text.length() <= MAX_VALUE_SHOWN ? text : text.substring(0, MAX_VALUE_SHOWN) + "...";
    }
}
