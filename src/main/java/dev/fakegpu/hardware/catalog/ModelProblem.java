package dev.fakegpu.hardware.catalog;

import dev.fakegpu.util.FieldProblem;

/**
 * What is wrong with an entry of the catalog, for the person who wrote it.
 *
 * @param field path inside the entry, empty for the entry itself, with list elements by name: {@code
 *     mig.profiles[1g.5gb].capacity.memoryMiB}
 * @param value the value of the field; empty if there is none
 * @param problem what is wrong with it, as the rest of a sentence that begins with the value, or with the field if there is no value
 * @param allowed the allowed values; empty if the problem says it
 */
public record ModelProblem(String field, String value, String problem, String allowed) {

    /** For example {@code identity.memoryMiB: "40Gi" is not a whole number; allowed: a whole number}. */
    public String sentence() {
        return FieldProblem.sentence(field.isEmpty() ? "model" : field, value, problem, allowed);
    }
}
