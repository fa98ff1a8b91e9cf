package dev.fakegpu.e2e.hostile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.ApiJson;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A file of {@code test-e2e/hostile}: the reason in its first line, and an object, whose name is {@code NAME} unless the test is about its
 * name.
 *
 * @param name the name of the file, without its extension
 * @param json the JSON as it is sent, byte for byte, because some objects are about the spelling of their JSON
 */
record HostileObject(String name, String json) {

    private static final ObjectMapper JSON = new ObjectMapper(ApiJson.factory(20_000));
    private static final String OPERATOR = "fakegpu-system";

    private static final String NAMES = System.getProperty("hostile.objects", ".*");

    /** All objects, or those whose names match the system property, in the order of their names. */
    static List<HostileObject> all() {
        try (var files = Files.list(ProjectFiles.resolve("test-e2e/hostile"))) {
            return files.sorted()
                    .map(HostileObject::read)
                    .filter(object -> object.name().matches(NAMES))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static HostileObject named(String name) {
        return read(ProjectFiles.resolve("test-e2e/hostile/" + name + ".json"));
    }

    private static HostileObject read(Path file) {
        String name = file.getFileName().toString().replace(".json", "");
        try {
            String json = Files.readString(file)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
            return new HostileObject(name, json.replace("\"NAME\"", "\"" + name + "\""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a tenant with {@code edit} rights in one namespace may create the object; otherwise an administrator creates it. */
    boolean isOfTenant() {
        return List.of("ResourceClaim", "ResourceClaimTemplate", "Pod").contains(kind())
                || (kind().equals("ConfigMap") && !isInNamespaceOfOperator());
    }

    /** The path of the object's kind, for requests. */
    String path(String tenant) {
        String version = tree().path("apiVersion").asText();
        String api = (version.contains("/") ? "/apis/" : "/api/") + version;
        String namespace = isInNamespaceOfOperator() ? OPERATOR : tenant;
        String plural = kind().toLowerCase(Locale.ROOT) + (kind().endsWith("s") ? "es" : "s");
        return isOfTenant() || isInNamespaceOfOperator()
                ? api + "/namespaces/" + namespace + "/" + plural
                : api + "/" + plural;
    }

    /** The name with which the object is stored. */
    String storedName() {
        return tree().path("metadata").path("name").asText();
    }

    private boolean isInNamespaceOfOperator() {
        return OPERATOR.equals(tree().path("metadata").path("namespace").asText());
    }

    private String kind() {
        return tree().path("kind").asText();
    }

    private JsonNode tree() {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
