package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A device that consumes counters.
 *
 * @param type the value of its attribute {@code type}, by which claims request it
 */
record Partition(String name, String type, List<Draw> draws) {

    /** The consumption from one counter set, and the compatibility groups for that set; null if the field is omitted. */
    record Draw(String counterSet, int amount, @Nullable List<String> groups) {

        List<String> declared() {
            return groups == null ? List.of() : groups;
        }

        String yaml(String counter) {
            String field = groups == null ? "" : "compatibilityGroups: [" + String.join(", ", groups) + "], ";
            return "{counterSet: " + counterSet + ", " + field + "counters: {" + counter + ": {value: \"" + amount
                    + "\"}}}";
        }
    }

    static Partition of(String name, String type, Draw... draws) {
        return new Partition(name, type, Arrays.asList(draws));
    }

    /** A consumption without groups. */
    static Draw plain(String counterSet, int amount) {
        return new Draw(counterSet, amount, null);
    }

    static Draw grouped(String counterSet, int amount, String... groups) {
        return new Draw(counterSet, amount, new ArrayList<>(Arrays.asList(groups)));
    }

    String yaml(String counter) {
        String consumes = draws.stream().map(draw -> draw.yaml(counter)).collect(Collectors.joining(", "));
        return "- {name: " + name + ", attributes: {type: {string: " + type + "}}, consumesCounters: [" + consumes
                + "]}";
    }
}
