package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One Kubernetes object from a file, not converted yet.
 *
 * @param source the file, as it is named in messages
 */
record Manifest(String source, JsonNode json) {

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
