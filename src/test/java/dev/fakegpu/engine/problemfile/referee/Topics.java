package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The topics of a problem: the features that it uses, and other aspects that allocators have implemented differently. */
final class Topics {

    static final String NONE = "only basic features";

    private Topics() {}

    /** The topics in a fixed order; there is at least one. */
    static List<String> of(ObjectNode problem) {
        var topics = new ArrayList<String>();
        problem.path("features").forEach(feature -> topics.add(feature.asText()));
        JsonNode claims = problem.path("claims");
        add(topics, claims.findValue("matchAttribute") != null, "matchAttribute");
        add(topics, claims.findValue("distinctAttribute") != null, "distinctAttribute");
        add(topics, claims.findValuesAsText("allocationMode").contains("All"), "allocationMode: All");
        add(topics, claims.size() > 1, "several claims");
        add(topics, problem.path("slices").findValue("nodeSelector") != null, "nodeSelector");
        add(topics, hasIncompletePool(problem), "incomplete or changing pools");
        if (topics.isEmpty()) {
            topics.add(NONE);
        }
        return topics;
    }

    private static void add(List<String> topics, boolean applies, String topic) {
        if (applies) {
            topics.add(topic);
        }
    }

    /** Whether the slices of a pool differ in generation or count, or their number differs from the count. */
    private static boolean hasIncompletePool(ObjectNode problem) {
        Set<String> seen = new HashSet<>();
        Set<JsonNode> versions = new HashSet<>();
        var names = new ArrayList<String>();
        for (JsonNode slice : problem.path("slices")) {
            JsonNode spec = slice.path("spec");
            String pool = spec.path("driver").asText() + "/"
                    + spec.path("pool").path("name").asText();
            names.add(pool);
            JsonNode version = ((ObjectNode) spec.path("pool").deepCopy())
                    .put("driver", spec.path("driver").asText());
            if (versions.add(version) && !seen.add(pool)) {
                return true;
            }
        }
        return versions.stream()
                .anyMatch(version -> names.stream()
                                .filter(name ->
                                        name.equals(version.path("driver").asText() + "/"
                                                + version.path("name").asText()))
                                .count()
                        != version.path("resourceSliceCount").asLong());
    }
}
