package dev.fakegpu.hardware.catalog;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * Merges a partial catalog entry over an entry. Objects are merged field by field. In lists of profiles and types, an element is merged
 * over the one with the same name, or otherwise over the one with the same GPU instance profile ID, so that profiles can be renamed. If
 * there is neither, it is added. Other values are replaced.
 */
final class ModelOverlay {

    private static final JsonPointer PROFILES = JsonPointer.compile("/mig/profiles");
    private static final JsonPointer MIG_BACKED_TYPES = JsonPointer.compile("/vgpu/migBacked/types");
    private static final String NVML_MEMORY = "nvmlMemoryMiB";
    private static final List<String> KEYS = List.of("name", "giProfileId");

    private ModelOverlay() {}

    /**
     * The entry with the partial entry merged over it. If only the memory is changed, NVML reports all of it. If a MIG profile is renamed,
     * the vGPU types that use it refer to the new name.
     */
    static JsonNode of(JsonNode entry, ObjectNode part) {
        JsonNode merged = merge(entry, part);
        dropNvmlMemory(part, merged);
        entry.at(PROFILES)
                .forEach(profile -> profileOf(merged, profile.get("giProfileId"))
                        .ifPresent(now -> rename(merged, profile.get("name"), now.get("name"))));
        return merged;
    }

    /** Removes the memory that NVML reports if only the physical memory is changed, since the two belong together. */
    private static void dropNvmlMemory(ObjectNode part, JsonNode merged) {
        JsonNode changed = part.path("identity");
        if (changed.has("memoryMiB")
                && !changed.has(NVML_MEMORY)
                && merged.path("identity") instanceof ObjectNode identity) {
            identity.remove(NVML_MEMORY);
        }
    }

    private static Optional<JsonNode> profileOf(JsonNode entry, JsonNode giProfileId) {
        return StreamSupport.stream(entry.at(PROFILES).spliterator(), false)
                .filter(profile -> giProfileId.equals(profile.get("giProfileId")))
                .findFirst();
    }

    private static void rename(JsonNode entry, JsonNode from, JsonNode to) {
        for (JsonNode type : entry.at(MIG_BACKED_TYPES)) {
            if (type instanceof ObjectNode fields && from.equals(type.get("migProfile"))) {
                fields.set("migProfile", to);
            }
        }
    }

    private static JsonNode merge(JsonNode base, JsonNode over) {
        if (base instanceof ObjectNode object && over instanceof ObjectNode fields) {
            return mergeObjects(object, fields);
        }
        if (base instanceof ArrayNode array && over instanceof ArrayNode elements && isNamed(elements)) {
            return mergeLists(array, elements);
        }
        return over;
    }

    private static ObjectNode mergeObjects(ObjectNode base, ObjectNode over) {
        ObjectNode merged = base.deepCopy();
        over.properties()
                .forEach(field -> merged.set(
                        field.getKey(),
                        base.has(field.getKey())
                                ? merge(base.get(field.getKey()), field.getValue())
                                : field.getValue()));
        return merged;
    }

    private static ArrayNode mergeLists(ArrayNode base, ArrayNode over) {
        ArrayNode merged = base.deepCopy();
        for (JsonNode element : over) {
            find(base, element)
                    .ifPresentOrElse(
                            index -> merged.set(index, merge(base.get(index), element)), () -> merged.add(element));
        }
        return merged;
    }

    private static Optional<Integer> find(ArrayNode base, JsonNode element) {
        return KEYS.stream()
                .filter(element::has)
                .flatMap(key -> IntStream.range(0, base.size())
                        .filter(index -> element.get(key).equals(base.get(index).get(key)))
                        .boxed())
                .findFirst();
    }

    private static boolean isNamed(ArrayNode elements) {
        return !elements.isEmpty()
                && IntStream.range(0, elements.size())
                        .allMatch(index -> elements.get(index).has("name"));
    }
}
