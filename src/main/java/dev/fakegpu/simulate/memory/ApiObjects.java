package dev.fakegpu.simulate.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.validation.ApiServer;
import dev.fakegpu.cluster.validation.ManifestValidation;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.util.FieldProblem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Converts between objects and JSON, for the kinds that a simulation knows. */
public final class ApiObjects {

    private static final Set<KnownKind> KINDS = EnumSet.allOf(KnownKind.class);

    private static final Set<String> CLUSTER_SCOPED =
            Set.of("FakeGpu", "Node", "Namespace", "DeviceClass", "DeviceTaintRule", "PriorityClass", "ResourceSlice");

    private static final ObjectMapper JSON = ClientSerialization.mapper();

    private ApiObjects() {}

    public static List<String> kinds() {
        return KINDS.stream().map(Enum::name).sorted().toList();
    }

    /** The kinds, each with its {@code apiVersion}. */
    public static Map<String, String> versions() {
        return KnownKind.versions(KINDS);
    }

    /** The object with this namespace, unless it names one itself or its kind has none. */
    public static JsonNode inNamespace(JsonNode json, String namespace) {
        boolean isPlaced = !json.path("metadata").path("namespace").asText().isEmpty();
        if (isPlaced || CLUSTER_SCOPED.contains(json.path("kind").asText())) {
            return json;
        }
        ObjectNode copy = json.deepCopy();
        copy.withObject("/metadata").put("namespace", namespace);
        return copy;
    }

    public static boolean isKnown(JsonNode object) {
        String kind = object.path("kind").asText();
        String version = versions().get(kind);
        String given = object.path("apiVersion").asText();
        return given.equals(version);
    }

    /**
     * The API server's reasons for refusing an object of a known kind; empty if it accepts the object.
     *
     * @param path the path of the object; empty if it is a whole document
     * @param server the API server to which it is applied
     */
    public static List<String> problems(JsonNode json, String path, ApiServer server) {
        var problems = new ArrayList<>(
                ManifestValidation.of(json, type(json.path("kind").asText()), server)
                        .sentences(path));
        JsonNode metadata = json.path("metadata");
        if (metadata.path("name").asText("").isEmpty() && metadata.hasNonNull("generateName")) {
            problems.add(
                    0,
                    FieldProblem.sentence(
                            (path.isEmpty() ? "" : path + ".") + "metadata.name",
                            "",
                            "is missing",
                            "a name that is not generated"));
        }
        return problems;
    }

    /** The API server's reasons for refusing a JSON merge patch of an object. */
    public static List<String> problemsOfPatch(JsonNode patch, ObjectName object, String path) {
        var problems = new ArrayList<String>();
        var kept = ManifestValidation.needsSpec(object.kind()) ? List.of("metadata", "spec") : List.of("metadata");
        kept.stream()
                .filter(field -> patch.path(field).isNull())
                .forEach(field -> problems.add(FieldProblem.sentence(path + "." + field, "", "cannot be removed", "")));
        JsonNode name = patch.path("metadata").path("name");
        if (!name.isMissingNode() && !name.asText().equals(object.name())) {
            problems.add(FieldProblem.sentence(path + ".metadata.name", name.asText(), "cannot be changed", ""));
        }
        problems.addAll(ManifestFields.problems(patch, type(object.kind()), path));
        return problems;
    }

    /** The API server's reasons for refusing a changed object, without those that already hold for the stored one. */
    public static List<String> problemsOfChange(ObjectNode stored, ObjectNode changed, ApiServer server) {
        var problems = new ArrayList<>(problems(asWritten(changed), "", server));
        if (!problems.isEmpty()) {
            problems.removeAll(problems(asWritten(stored), "", server));
        }
        return problems;
    }

    /** Without the UID, by which validation recognizes stored objects. */
    private static JsonNode asWritten(ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        copy.withObject("/metadata").remove("uid");
        return copy;
    }

    /** The fields of a part that are unknown in objects of this kind, or have another shape. */
    public static List<String> problemsOfPart(JsonNode part, String kind, String path) {
        return ManifestFields.problems(part, type(kind), path);
    }

    public static Class<? extends HasMetadata> type(String kind) {
        return KnownKind.valueOf(kind).type();
    }

    /** @throws SimulationException if the object has no name, or fields of another type */
    public static HasMetadata read(JsonNode json) {
        String kind = json.path("kind").asText();
        String title = kind + " " + json.path("metadata").path("name").asText();
        if (json.path("metadata").path("name").asText("").isEmpty()) {
            throw new SimulationException(kind + ": metadata.name is missing");
        }
        try {
            HasMetadata object = JSON.treeToValue(withVersion(json, kind), type(kind));
            Optional<String> unreadable = UnreadableFields.of(object);
            if (unreadable.isPresent()) {
                throw new SimulationException(title + ": " + unreadable.get());
            }
            boolean isNamespaced = !CLUSTER_SCOPED.contains(kind);
            if (isNamespaced && object.getMetadata().getNamespace() == null) {
                object.getMetadata().setNamespace("default");
            } else if (!isNamespaced) {
                object.getMetadata().setNamespace(null);
            }
            return object;
        } catch (JsonProcessingException e) {
            throw new SimulationException(title + ": " + e.getOriginalMessage());
        }
    }

    private static JsonNode withVersion(JsonNode json, String kind) {
        ObjectNode copy = json.deepCopy();
        return copy.put("apiVersion", KnownKind.valueOf(kind).apiVersion());
    }

    /** An object or a part of one as it is sent, including opaque JSON. */
    public static JsonNode json(Object part) {
        try {
            return JSON.readTree(JSON.writeValueAsString(part));
        } catch (JsonProcessingException e) {
            throw new SimulationException(e.getOriginalMessage());
        }
    }

    public static ObjectNode write(HasMetadata object) {
        return JSON.valueToTree(object);
    }

    @SuppressWarnings("unchecked")
    public static <T extends HasMetadata> T copy(T object) {
        return (T) JSON.convertValue(JSON.<JsonNode>valueToTree(object), object.getClass());
    }

    /** Applies a JSON merge patch (RFC 7386). */
    public static void merge(ObjectNode target, JsonNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue().isObject()) {
                JsonNode known = target.get(field.getKey());
                ObjectNode inside = known != null && known.isObject() ? (ObjectNode) known : target.objectNode();
                merge(inside, field.getValue());
                target.set(field.getKey(), inside);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
    }
}
