package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Generates names for objects that have only {@code metadata.generateName}, like the API server, but always the same ones: {@code
 * tester-1}, {@code tester-2}.
 */
final class GeneratedNames {

    private final Set<String> taken = new HashSet<>();

    private GeneratedNames() {}

    /** Returns the objects, with generated names for those that have {@code generateName}. */
    static List<Manifest> of(List<Manifest> manifests) {
        var names = new GeneratedNames();
        manifests.forEach(manifest -> names.taken.add(key(manifest, manifest.name())));
        return manifests.stream().map(names::named).toList();
    }

    private static String key(Manifest manifest, String name) {
        JsonNode namespace = manifest.json().path("metadata").path("namespace");
        return manifest.kind() + "/" + namespace.asText() + "/" + name;
    }

    private Manifest named(Manifest manifest) {
        String prefix = manifest.json().path("metadata").path("generateName").asText();
        if (prefix.isEmpty() || !manifest.name().isEmpty()) {
            return manifest;
        }
        int number = 1;
        while (!taken.add(key(manifest, prefix + number))) {
            number++;
        }
        ObjectNode json = manifest.json().deepCopy();
        json.withObjectProperty("metadata").put("name", prefix + number);
        return manifest.with(json);
    }
}
