package dev.fakegpu.inventory;

/**
 * Why a spec cannot be published, for the person who wrote it.
 *
 * @param field path from the object's root, in the API server's notation: {@code spec.custom.devices[3].name}
 * @param value what is there
 * @param problem what is wrong with it, as the end of a sentence that begins with the value
 * @param allowed what could be there instead
 */
public record SpecProblem(String field, String value, String problem, String allowed) {

    private static final int MAX_FIELD_SHOWN = 160;
    private static final int MAX_VALUE_SHOWN = 80;

    /** For example {@code spec.count: "65" is out of range; allowed: 1 to 64}; what a user wrote too much of is cut. */
    public String sentence() {
        return cut(field, MAX_FIELD_SHOWN) + ": \"" + cut(value, MAX_VALUE_SHOWN) + "\" " + problem + "; allowed: "
                + allowed;
    }

    private static String cut(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit) + "...";
    }
}
