package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.util.FieldProblem;
import dev.fakegpu.util.Suggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a scenario as sentences with the path, the value and what is allowed. */
final class ScenarioProblems {

    private static final int MAX_VALUE_SHOWN = 80;

    private final List<String> sentences = new ArrayList<>();

    /** The problems in the order in which they were found. */
    List<String> sentences() {
        return List.copyOf(sentences);
    }

    void addAll(Collection<String> found) {
        sentences.addAll(found);
    }

    /** @return empty, so that callers can return it in place of the value */
    <T> Optional<T> add(String path, JsonNode value, String allowed) {
        return add(path, value, List.of(), allowed);
    }

    /** @param known the known names, one of which may have been meant */
    <T> Optional<T> add(String path, JsonNode value, Collection<String> known, String allowed) {
        String text = value.isTextual() ? value.asText() : value.toString();
        String shown = text.length() <= MAX_VALUE_SHOWN ? text : text.substring(0, MAX_VALUE_SHOWN) + "...";
        sentences.add(FieldProblem.sentence(
                path,
                shown,
                shown.isEmpty()
                        ? (value.isMissingNode() ? "is missing" : "is empty")
                        : "is not valid" + Suggestion.hint(text, known),
                allowed));
        return Optional.empty();
    }

    /** @param what the rest of a sentence that begins with the path */
    <T> Optional<T> add(String path, String what, String allowed) {
        sentences.add(FieldProblem.sentence(path, "", what, allowed));
        return Optional.empty();
    }

    /**
     * Whether the value is an object. Reports other values, and unknown fields.
     *
     * @param path the path of the object; empty for the scenario
     */
    boolean isObject(String path, JsonNode json, List<String> fields) {
        if (!json.isObject()) {
            add(path, json, "an object with " + String.join(", ", fields));
            return false;
        }
        json.fieldNames().forEachRemaining(field -> {
            if (!fields.contains(field)) {
                sentences.add(ManifestFields.unknown(path.isEmpty() ? field : path + "." + field, field, fields));
            }
        });
        return true;
    }

    /** The text of a field; null if the field is missing. Reports lists and objects. */
    @Nullable String text(String path, JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (value.isContainerNode()) {
            add(path + "." + field, value, "a string");
        }
        return value.isValueNode() && !value.isNull() ? value.asText() : null;
    }
}
