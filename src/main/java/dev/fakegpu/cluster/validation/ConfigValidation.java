package dev.fakegpu.cluster.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;

/** The opaque configuration of a class or claim: {@code validateDeviceConfiguration}. */
final class ConfigValidation {

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
        } else if (parameters.toString().getBytes(UTF_8).length > Limits.PARAMETER_BYTES) {
            errors.tooLong(path, Limits.PARAMETER_BYTES);
        } else if (!parameters.isObject()) {
            errors.invalid(path, "<value omitted>", "must be a valid JSON object");
        }
    }
}
