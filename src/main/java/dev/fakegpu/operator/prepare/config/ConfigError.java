package dev.fakegpu.operator.prepare.config;

import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An error in a configuration object.
 *
 * @param field the path inside the object, such as {@code sharing.strategy}; empty for the object itself
 * @param value the invalid value
 * @param problem the rest of a sentence that begins with the value
 * @param allowed the valid values
 */
record ConfigError(String field, String value, String problem, String allowed) {

    static Optional<ConfigError> of(String field, Object value, String problem, String allowed) {
        return Optional.of(new ConfigError(field, value.toString(), problem, allowed));
    }

    static Optional<ConfigError> unlessOneOf(String field, @Nullable String value, String... allowed) {
        if (value == null || value.isEmpty()) {
            return of(field, "", "is missing", String.join(", ", allowed));
        }
        return Arrays.asList(allowed).contains(value)
                ? Optional.empty()
                : of(field, value, "is unknown", String.join(", ", allowed));
    }

    static Optional<ConfigError> unlessBetween(String field, @Nullable Integer value, int min, int max) {
        return value == null || (value >= min && value <= max)
                ? Optional.empty()
                : of(field, value, "is out of range", min + " to " + max);
    }

    static Optional<ConfigError> ifBeside(String field, @Nullable Object value, String strategy) {
        return value == null
                ? Optional.empty()
                : of(
                        field,
                        "{...}",
                        "does not go with strategy " + strategy,
                        "no " + field.substring(field.lastIndexOf('.') + 1));
    }

    @SafeVarargs
    static Optional<ConfigError> first(Optional<ConfigError>... checks) {
        return List.of(checks).stream().flatMap(Optional::stream).findFirst();
    }

    /** @param place where the configuration was written */
    String sentence(AllocatedConfigs.Place place) {
        String object = place.path() + ".opaque.parameters";
        return place.prefix()
                + new SpecProblem(field.isEmpty() ? object : object + "." + field, value, problem, allowed).sentence();
    }
}
