package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.Limits;

/** The opaque configuration of a class or claim: {@code validateDeviceConfiguration}. */
final class ConfigValidation {

    /** The API limits the number of bytes, but not the depth of nesting. */
    private static final ObjectMapper DEEP = new ObjectMapper(JsonFactory.builder()
            .streamWriteConstraints(StreamWriteConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .build())
            .build());

    private ConfigValidation() {}

    static void check(JsonNode config, String path, FieldErrors errors) {
        JsonNode opaque = config.path("opaque");
        String at = path + ".opaque";
        if (opaque.isMissingNode() || opaque.isNull()) {
            errors.required(at, "");
            return;
        }
        NameFormat.declaredDriver(at + ".driver", opaque.path("driver").asText(), errors);
        parameters(opaque.path("parameters"), at + ".parameters", errors);
    }

    private static void parameters(JsonNode parameters, String path, FieldErrors errors) {
        if (parameters.isMissingNode() || parameters.isNull()) {
            errors.required(path, "");
        } else if (bytes(parameters) > Limits.PARAMETER_BYTES) {
            errors.tooLong(path, Limits.PARAMETER_BYTES);
        } else if (!parameters.isObject()) {
            errors.invalid(path, "<value omitted>", "must be a valid JSON object");
        }
    }

    private static int bytes(JsonNode parameters) {
        try {
            return DEEP.writeValueAsBytes(parameters).length;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }
}
