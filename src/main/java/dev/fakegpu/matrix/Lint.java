package dev.fakegpu.matrix;

/**
 * A questionable declaration that no rule of the API forbids.
 *
 * @param sentence names the pool, the devices, the counter set, the counter and the numbers
 */
public record Lint(Rule rule, String sentence) {

    /** What is questionable. */
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
