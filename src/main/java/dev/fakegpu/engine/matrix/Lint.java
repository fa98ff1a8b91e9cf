package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.PoolId;

/**
 * A questionable declaration that no rule of the API forbids.
 *
 * @param sentence a sentence with the pool, the devices, the counter set, the counter and the numbers
 * @param subject what the sentence is about
 */
public record Lint(Rule rule, String sentence, Subject subject) {

    /**
     * A part of a pool.
     *
     * @param counterSet the counter set; empty if the lint is not about one
     * @param device the first device; empty if the lint is not about devices
     */
    public record Subject(PoolId pool, String counterSet, String device) {}

    /** The kind of the questionable declaration. */
    public enum Rule {
        INCOMPLETE_POOL("incomplete-pool"),
        DUPLICATE_NAME("duplicate-name"),
        UNKNOWN_COUNTER("unknown-counter"),
        NEVER_ALLOCATED("never-allocated"),
        UNSHARED_SET("unshared-set"),
        UNUSED_COUNTER("unused-counter"),
        UNREACHABLE_MAXIMUM("unreachable-maximum"),
        MIXED_GROUPS("mixed-groups"),
        NEVER_MEET("never-meet"),
        LONELY_GROUP("lonely-group"),
        REDUNDANT_GROUP("redundant-group");

        private final String text;

        Rule(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Override
    public String toString() {
        return rule + ": " + sentence;
    }
}
