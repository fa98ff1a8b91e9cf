package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.check.FieldLines;

/**
 * One Kubernetes object from a file, not converted yet.
 *
 * @param source the file, as it is named in messages
 * @param lines where its fields are in the file
 */
record Manifest(String source, JsonNode json, FieldLines lines) {

    /** Without lines. */
    Manifest(String source, JsonNode json) {
        this(source, json, FieldLines.UNKNOWN);
    }

    String kind() {
        return json.path("kind").asText();
    }

    String name() {
        return json.path("metadata").path("name").asText();
    }

    /** For messages: {@code a100.yaml: FakeGpu a100}. */
    String title() {
        return source + ": "
                + (kind().isEmpty() ? "an object without a kind" : kind() + (name().isEmpty() ? "" : " " + name()));
    }

    boolean isA(String apiGroup, String wantedKind) {
        return kind().equals(wantedKind) && json.path("apiVersion").asText().startsWith(apiGroup + "/");
    }
}
