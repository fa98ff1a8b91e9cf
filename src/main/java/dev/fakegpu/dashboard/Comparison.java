package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The same steps in several worlds.
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
     */
    @JsonPropertyOrder({"title", "pictures"})
    public record Step(String title, List<Dashboard> pictures) {
        public Step {
            pictures = List.copyOf(pictures);
        }
    }
}
