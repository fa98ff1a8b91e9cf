package dev.fakegpu.hardware.catalog;

import dev.fakegpu.util.FieldProblem;

/**
 * A problem of a catalog entry, for its author.
 *
 * @param field the path inside the entry, with list elements by name: {@code mig.profiles[1g.5gb].capacity.memoryMiB}; empty for the entry
 *     itself
 * @param value the value of the field; empty if there is none
 * @param problem the rest of a sentence that begins with the value, or with the field if there is no value
 * @param allowed the allowed values; empty if {@code problem} says it
 */
public record ModelProblem(String field, String value, String problem, String allowed) {

    /** The problem as text, such as {@code identity.memoryMiB: "40Gi" is not a whole number; allowed: a whole number}. */
    public String sentence() {
        return FieldProblem.sentence(field.isEmpty() ? "model" : field, value, problem, allowed);
    }
}
