package dev.fakegpu.allocate;

import java.util.Map;

/** What node selection looks at. */
public record Node(String name, Map<String, String> labels) {

    public Node {
        labels = Map.copyOf(labels);
    }
}
