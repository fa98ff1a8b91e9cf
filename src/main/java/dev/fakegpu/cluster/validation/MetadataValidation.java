package dev.fakegpu.cluster.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/** Name, labels and annotations: {@code ValidateObjectMeta} of {@code k8s.io/apimachinery/pkg/api/validation}. */
final class MetadataValidation {

    private static final int ANNOTATION_BYTES = 256 * 1024;

    private MetadataValidation() {}

    static void check(JsonNode metadata, String kind, FieldErrors errors) {
        String name = metadata.path("name").asText();
        if (!name.isEmpty()) { // a missing name is reported by the code that reads the object
            List<String> problems = kind.equals("Namespace") ? NameFormat.label(name) : NameFormat.subdomain(name);
            errors.invalid("metadata.name", name, problems);
        }
        labelsAndAnnotations(metadata, "metadata", errors);
    }

    /** @param path the path of the object; in a pod template, that of the template itself */
    static void labelsAndAnnotations(JsonNode metadata, String path, FieldErrors errors) {
        labels(metadata.path("labels"), path + ".labels", errors);
        annotations(metadata.path("annotations"), path + ".annotations", errors);
    }

    /** {@code ValidateLabels}. */
    static void labels(JsonNode labels, String path, FieldErrors errors) {
        labels.properties().forEach(entry -> {
            errors.invalid(path, entry.getKey(), NameFormat.labelKey(entry.getKey()));
            String value = entry.getValue().asText();
            errors.invalid(path, value, NameFormat.labelValue(value));
        });
    }

    /** {@code ValidateAnnotations}. */
    private static void annotations(JsonNode annotations, String path, FieldErrors errors) {
        long bytes = 0;
        for (var entry : annotations.properties()) {
            String key = entry.getKey();
            errors.invalid(path, key, NameFormat.labelKey(key.toLowerCase(Locale.ROOT)));
            bytes += key.getBytes(UTF_8).length + entry.getValue().asText().getBytes(UTF_8).length;
        }
        if (bytes > ANNOTATION_BYTES) {
            errors.tooLong(path, ANNOTATION_BYTES);
        }
    }
}
