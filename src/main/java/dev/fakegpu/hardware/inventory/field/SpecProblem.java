package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.util.FieldProblem;

/**
 * A reason why a spec cannot be published, for its author.
 *
 * @param field the path from the object's root, in the API server's notation: {@code spec.custom.devices[3].name}
 * @param value the invalid value; empty if there is none
 * @param problem the rest of a sentence that begins with the value, or with the field if there is no value
 * @param allowed what is allowed instead; empty if {@code problem} says it
 */
public record SpecProblem(String field, String value, String problem, String allowed) {

    private static final int MAX_FIELD_SHOWN = 160;
    private static final int MAX_VALUE_SHOWN = 80;

    /** The problem as text, such as {@code spec.count: "65" is out of range; allowed: 1 to 64}; long values are truncated. */
    public String sentence() {
        return FieldProblem.sentence(
                truncate(field, MAX_FIELD_SHOWN), truncate(value, MAX_VALUE_SHOWN), problem, allowed);
    }

    private static String truncate(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit) + "...";
    }
}
