package dev.fakegpu.util;

/** Formats the sentence about a field that is not accepted. */
public final class FieldProblem {
    private FieldProblem() {}

    /**
     * Formats, for example, {@code spec.count: "65" is out of range; allowed: 1 to 64}, or without a value {@code spec.nodes is missing;
     * allowed: …}.
     *
     * @param value empty if there is none, or if it cannot be shown
     * @param problem the rest of a sentence that begins with the value, or with the field if there is no value
     * @param allowed what is allowed instead; empty if {@code problem} says it
     */
    public static String sentence(String field, String value, String problem, String allowed) {
        String subject = value.isEmpty() ? field : field + ": \"" + value + "\"";
        return subject + " " + problem + (allowed.isEmpty() ? "" : "; allowed: " + allowed);
    }
}
