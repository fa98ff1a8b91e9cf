package dev.fakegpu.schedule;

/**
 * Attempts to bind a pod that ended because of its devices' binding conditions.
 *
 * @param last why the last one ended
 */
record BindingFailures(int attempts, String last) {

    static BindingFailures first(String why) {
        return new BindingFailures(1, why);
    }

    /** These and the next one. */
    BindingFailures and(String why) {
        return new BindingFailures(attempts + 1, why);
    }
}
