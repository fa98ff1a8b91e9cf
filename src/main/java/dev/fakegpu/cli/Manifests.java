package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import picocli.CommandLine.Option;

/** The option {@code -f}: files with Kubernetes objects in YAML or JSON, as several documents or as lists. */
final class Manifests {

    private static final String STANDARD_INPUT = "-";

    /** YAML 1.2, as the operator's client reads it. No size limit: the slices of a large cluster are long. */
    private static final LoadSettings YAML = LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();

    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description =
                    "A file with objects in YAML or JSON: one, several documents, or a list; or a folder with such files. Repeat it for several; - is standard input.")
    private List<String> files = List.of();

    /** The objects of other files than those of the option; see {@link #read()}. */
    static List<Manifest> of(List<String> files) {
        var manifests = new Manifests();
        manifests.files = files;
        return manifests.read();
    }

    /**
     * All objects in file order, with the items of lists as separate objects.
     *
     * @throws InvalidInputException if a file cannot be read or contains anything other than objects
     */
    List<Manifest> read() {
        return read(files);
    }

    /** The same for other files. */
    static List<Manifest> read(List<String> files) {
        var manifests = new ArrayList<Manifest>();
        for (String file : files) {
            if (file.equals(STANDARD_INPUT)) {
                readStandardInput(manifests);
            } else {
                readFile(file, manifests);
            }
        }
        return List.copyOf(manifests);
    }

    private static void readStandardInput(List<Manifest> manifests) {
        try {
            read(System.in, "standard input", manifests);
        } catch (IOException e) {
            throw new InvalidInputException("cannot read standard input: " + e.getMessage());
        }
    }

    private static void readFile(String file, List<Manifest> manifests) {
        Path path = Path.of(file);
        if (Files.isDirectory(path)) {
            readFolder(path, manifests);
            return;
        }
        try (InputStream input = Files.newInputStream(path)) {
            read(input, file, manifests);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(path, e);
        }
    }

    /** The files directly in it that kubectl would read, sorted by name. */
    private static void readFolder(Path folder, List<Manifest> manifests) {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().matches(".*\\.(yaml|yml|json)"))
                    .sorted()
                    .forEach(file -> readFile(file.toString(), manifests));
        } catch (IOException e) {
            throw InvalidInputException.unreadable(folder, e);
        }
    }

    private static void read(InputStream input, String source, List<Manifest> manifests) throws IOException {
        try {
            for (Object document : new Load(YAML).loadAllFromInputStream(input)) {
                add(manifests, source, JSON.valueToTree(document));
            }
        } catch (YamlEngineException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new InvalidInputException(source + ": is no YAML: " + reason(e));
        }
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
            return; // an empty document
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
