package dev.fakegpu.util;

/** The sentence about a field that cannot be accepted. */
public final class FieldProblem {
    private FieldProblem() {}

    /**
     * For example {@code spec.count: "65" is out of range; allowed: 1 to 64}, or without a value {@code spec.nodes is missing; allowed: …}.
     *
     * @param value empty if there is none, or none that can be shown
     * @param problem the rest of a sentence that begins with the value, or else with the field
     * @param allowed what is allowed instead; empty if the problem says it
     */
    public static String sentence(String field, String value, String problem, String allowed) {
        String subject = value.isEmpty() ? field : field + ": \"" + value + "\"";
        return subject + " " + problem + (allowed.isEmpty() ? "" : "; allowed: " + allowed);
    }
}
