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

    private static final int MAX_SHOWN = 80;

    /** For example {@code spec.count: "65" is out of range; allowed: 1 to 64}. */
    public String sentence() {
        String shown = value.length() <= MAX_SHOWN ? value : value.substring(0, MAX_SHOWN) + "...";
        return field + ": \"" + shown + "\" " + problem + "; allowed: " + allowed;
    }
}
