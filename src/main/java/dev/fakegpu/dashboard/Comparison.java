package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The same steps in one or more worlds.
 *
 * @param worlds the differences between them, in a few words each
 * @param steps the steps in order
 */
@JsonPropertyOrder({"worlds", "steps"})
public record Comparison(List<String> worlds, List<Step> steps) {

    public Comparison {
        worlds = List.copyOf(worlds);
        steps = List.copyOf(steps);
    }

    /**
     * A step that was played.
     *
     * @param pictures the pictures after it, one for each world
     * @param checks the expectations after it, for each world
     */
    @JsonPropertyOrder({"title", "pictures", "checks"})
    public record Step(String title, List<Dashboard> pictures, List<List<Check>> checks) {
        public Step {
            pictures = List.copyOf(pictures);
            checks = List.copyOf(checks);
        }
    }

    /** @param text the expectation and, if it is not met, the actual state */
    @JsonPropertyOrder({"passed", "text"})
    public record Check(boolean passed, String text) {}
}
