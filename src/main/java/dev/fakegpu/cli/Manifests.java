package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import picocli.CommandLine.Option;

/** The option {@code -f}: files with Kubernetes objects in YAML or JSON, one after the other or in lists. */
final class Manifests {

    private static final String STANDARD_INPUT = "-";

    /** The rules of YAML 1.2, as the client of the operator reads YAML; the slices of a large cluster are long. */
    private static final LoadSettings YAML = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();

    private final ObjectMapper json = new ObjectMapper();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description =
                    "Files with objects in YAML or JSON, also several in one file, and lists; - is standard input.")
    private List<String> files = List.of();

    /**
     * All objects, those of lists one by one.
     *
     * @throws InvalidInputException if a file cannot be read or has something else than objects
     */
    List<Manifest> read() {
        var manifests = new ArrayList<Manifest>();
        for (String file : files) {
            String source = file.equals(STANDARD_INPUT) ? "standard input" : file;
            try (InputStream input = file.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(file))) {
                for (Object document : new Load(YAML).loadAllFromInputStream(input)) {
                    add(manifests, source, json.valueToTree(document));
                }
            } catch (IOException e) {
                throw new InvalidInputException("cannot read " + source);
            } catch (YamlEngineException e) {
                throw new InvalidInputException(source + ": is no YAML: " + reason(e));
            }
        }
        return List.copyOf(manifests);
    }

    private static String reason(YamlEngineException e) {
        if (e instanceof MarkedYamlEngineException marked
                && marked.getProblemMark().isPresent()) {
            Mark mark = marked.getProblemMark().get();
            return "line %s, column %s: %s".formatted(mark.getLine() + 1, mark.getColumn() + 1, marked.getProblem());
        }
        return String.valueOf(e.getMessage());
    }

    private static void add(List<Manifest> manifests, String source, JsonNode object) {
        if (object.isNull()) {
            return; // nothing between two separators
        }
        if (!object.isObject()) {
            throw new InvalidInputException(source + ": has something that is no Kubernetes object");
        }
        if (object.path("kind").asText().endsWith("List")
                && object.path("items").isArray()) {
            object.path("items").forEach(item -> add(manifests, source, item));
            return;
        }
        manifests.add(new Manifest(source, object));
    }
}
