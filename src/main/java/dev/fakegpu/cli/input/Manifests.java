package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.check.FieldLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import picocli.CommandLine.Option;

/** The option {@code -f}: files with Kubernetes objects in YAML or JSON, as several documents or as lists. */
public final class Manifests {

    private static final String STANDARD_INPUT = "-";

    /** YAML 1.1, which is what kubectl reads. There is no size limit, since the slices of a large cluster are long. */
    private static final LoadSettings YAML = LoadSettings.builder()
            .setSchema(YamlDocument.SCHEMA)
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description =
                    "A file with objects in YAML or JSON: one, several documents, or a list; or a folder with such files. Repeat it for several; - is standard input.")
    private List<String> files = List.of();

    /** The objects of files other than those of the option; see {@link #read()}. */
    public static List<Manifest> of(List<String> files) {
        var manifests = new Manifests();
        manifests.files = files;
        return manifests.read();
    }

    /**
     * All objects in file order, with the items of lists as separate objects.
     *
     * @throws InvalidInputException if a file cannot be read or contains anything other than objects
     */
    public List<Manifest> read() {
        return read(files);
    }

    /** Reads other files in the same way. */
    public static List<Manifest> read(List<String> files) {
        return read(files, document -> FieldLines.UNKNOWN);
    }

    /** Reads other files with the lines of all fields, which takes several times the memory. */
    public static List<Manifest> readWithLines(List<String> files) {
        return read(files, YamlLines::new);
    }

    /** Of an object that was read without lines; unknown if its file has changed, or is standard input. */
    static FieldLines lines(Manifest manifest) {
        try {
            return readWithLines(List.of(manifest.source())).stream()
                    .filter(again -> again.json().equals(manifest.json()))
                    .map(Manifest::lines)
                    .findFirst()
                    .orElse(FieldLines.UNKNOWN);
        } catch (InvalidInputException e) {
            return FieldLines.UNKNOWN;
        }
    }

    /**
     * The objects of a text, with the lines of all fields.
     *
     * @param source the name of the text in messages
     */
    static List<Manifest> ofText(String yaml, String source) {
        var manifests = new Reading(new ArrayList<>(), YamlLines::new);
        try {
            read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), source, manifests);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // reading a string cannot fail
        }
        return GeneratedNames.of(manifests.found());
    }

    private static List<Manifest> read(List<String> files, Function<Node, FieldLines> lines) {
        var manifests = new Reading(new ArrayList<>(), lines);
        for (String file : files) {
            if (file.equals(STANDARD_INPUT)) {
                readStandardInput(manifests);
            } else {
                readFile(file, manifests);
            }
        }
        return GeneratedNames.of(manifests.found());
    }

    /**
     * The state while reading.
     *
     * @param lines returns the lines of a document
     */
    private record Reading(List<Manifest> found, Function<Node, FieldLines> lines) {}

    private static void readStandardInput(Reading manifests) {
        try {
            read(System.in, "standard input", manifests);
        } catch (IOException e) {
            throw new InvalidInputException("cannot read standard input: " + e.getMessage());
        }
    }

    private static void readFile(String file, Reading manifests) {
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

    /** Reads the files directly in the folder that kubectl would read, sorted by name. */
    private static void readFolder(Path folder, Reading manifests) {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().matches(".*\\.(yaml|yml|json)"))
                    .sorted()
                    .forEach(file -> readFile(file.toString(), manifests));
        } catch (IOException e) {
            throw InvalidInputException.unreadable(folder, e);
        }
    }

    private static void read(InputStream input, String source, Reading manifests) throws IOException {
        try {
            for (Node node : new Compose(YAML).composeAllFromInputStream(input)) {
                var document = new YamlDocument(node);
                FieldLines lines = manifests.lines().apply(node);
                add(manifests, new Manifest(source, document.json(), lines, document.notes()));
            }
        } catch (YamlEngineException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new InvalidInputException(source + ": is not YAML: " + reason(e));
        }
    }

    private static String reason(YamlEngineException e) {
        if (e instanceof MarkedYamlEngineException marked
                && marked.getProblemMark().isPresent()) {
            Mark mark = marked.getProblemMark().get();
            return "line %s, column %s: %s".formatted(mark.getLine() + 1, mark.getColumn() + 1, problem(marked));
        }
        return String.valueOf(e.getMessage());
    }

    /** Explains a line with which documentation abridges manifests but that has another meaning in YAML. */
    private static String problem(MarkedYamlEngineException e) {
        if (e.getProblem().startsWith("expected '<document start>'")) {
            return "a line \"...\" ends a document; write out what it stands for, or --- before another document";
        }
        boolean isAbridged = e.getContextMark()
                .filter(mark -> mark.createSnippet().strip().startsWith("..."))
                .isPresent();
        return isAbridged ? "a line \"...\" is not a field; write out what it stands for" : e.getProblem();
    }

    private static void add(Reading manifests, Manifest manifest) {
        JsonNode object = manifest.json();
        if (object.isNull()) {
            return; // an empty document
        }
        if (!object.isObject()) {
            throw new InvalidInputException(manifest.source() + ": has something that is not a Kubernetes object");
        }
        JsonNode items = object.path("items");
        if (manifest.kind().endsWith("List") && items.isArray()) {
            for (int i = 0; i < items.size(); i++) {
                add(
                        manifests,
                        new Manifest(
                                manifest.source(),
                                items.get(i),
                                YamlLines.item(manifest.lines(), i),
                                i == 0 ? manifest.notes() : List.of()));
            }
            return;
        }
        manifests.found().add(manifest.converted());
    }
}
