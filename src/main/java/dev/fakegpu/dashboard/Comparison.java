package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The same steps in one or several worlds.
 *
 * @param worlds what differs between them, in a few words each
 * @param steps in their order
 */
@JsonPropertyOrder({"worlds", "steps"})
public record Comparison(List<String> worlds, List<Step> steps) {

    public Comparison {
        worlds = List.copyOf(worlds);
        steps = List.copyOf(steps);
    }

    /**
     * What was done.
     *
     * @param pictures after it, one of each world
     * @param checks what was expected after it, for each world
     */
    @JsonPropertyOrder({"title", "pictures", "checks"})
    public record Step(String title, List<Dashboard> pictures, List<List<Check>> checks) {
        public Step {
            pictures = List.copyOf(pictures);
            checks = List.copyOf(checks);
        }
    }

    /** @param text what was expected, and if it is not so, what is so instead */
    @JsonPropertyOrder({"passed", "text"})
    public record Check(boolean passed, String text) {}
}
