package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.validation.FieldError;
import java.util.ArrayList;
import java.util.List;

/**
 * A DeviceClass to check.
 *
 * @param spec the spec as written
 * @param errors why the API server refuses it
 */
public record CheckedClass(Source source, String name, JsonNode spec, List<FieldError> errors) {

    public CheckedClass {
        errors = List.copyOf(errors);
    }

    Where at(String path) {
        return source.at(path);
    }

    /** The CEL expressions of its selectors; a selector without one has an empty text. */
    List<String> expressions() {
        var expressions = new ArrayList<String>();
        spec.path("selectors")
                .forEach(selector ->
                        expressions.add(selector.path("cel").path("expression").asText()));
        return expressions;
    }

    /** Whether a selector or configuration names the driver. */
    boolean isAbout(String driver) {
        return spec.toString().contains(driver);
    }
}
