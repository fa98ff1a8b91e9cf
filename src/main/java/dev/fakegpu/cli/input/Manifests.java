package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cluster.check.FieldLines;
import dev.fakegpu.dra.ApiJson;
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
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import picocli.CommandLine.Option;

/** The option {@code -f}: files with Kubernetes objects in YAML or JSON, as several documents or as lists. */
public final class Manifests {

    private static final String STANDARD_INPUT = "-";

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
        return read(files, false);
    }

    /** Reads other files with the lines of all fields, which takes several times the memory. */
    public static List<Manifest> readWithLines(List<String> files) {
        return read(files, true);
    }

    /**
     * The objects of a text, with the lines of all fields.
     *
     * @param source the name of the text in messages
     */
    static List<Manifest> ofText(String yaml, String source) {
        var found = new ArrayList<Manifest>();
        try {
            read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), source, found, YamlLines::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // reading a string cannot fail
        }
        return GeneratedNames.of(found);
    }

    private static List<Manifest> read(List<String> files, boolean withLines) {
        var manifests = new Reading(new ArrayList<>(), withLines);
        for (String file : files) {
            if (file.equals(STANDARD_INPUT)) {
                readStandardInput(manifests);
            } else {
                readFile(file, manifests);
            }
        }
        return GeneratedNames.of(manifests.found());
    }

    /** The state while reading. */
    private record Reading(List<Manifest> found, boolean withLines) {

        /** @param otherwise returns the lines of the next document if they are not read with it */
        Function<Node, FieldLines> lines(Supplier<FieldLines> otherwise) {
            return withLines ? YamlLines::new : document -> otherwise.get();
        }
    }

    private static void readStandardInput(Reading manifests) {
        try {
            read(System.in, "standard input", manifests.found(), manifests.lines(() -> FieldLines.UNKNOWN));
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
            read(input, file, manifests.found(), manifests.lines(new LinesOnDemand(path)::next));
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

    private static void read(InputStream input, String source, List<Manifest> found, Function<Node, FieldLines> lines)
            throws IOException {
        byte[] text = input.readAllBytes();
        var read = new ArrayList<Manifest>();
        try {
            for (Node node : YamlNodes.of(new ByteArrayInputStream(text))) {
                var document = new YamlDocument(node);
                add(read, new Manifest(source, document.json(), lines.apply(node), document.notes()));
            }
        } catch (YamlEngineException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            read.clear();
            if (!readJson(text, source, read)) {
                throw new InvalidInputException(source + ": is not YAML: " + reason(e));
            }
        }
        found.addAll(read);
    }

    /**
     * Reads JSON that is not YAML, because a field name is longer than the 1,024 characters of a key in YAML.
     *
     * @return whether it is JSON
     */
    private static boolean readJson(byte[] text, String source, List<Manifest> found) {
        var mapper = new ObjectMapper(ApiJson.factory(YamlNodes.MAX_DEPTH));
        try (MappingIterator<JsonNode> documents =
                mapper.readerFor(JsonNode.class).readValues(text)) {
            while (documents.hasNextValue()) {
                add(found, new Manifest(source, documents.nextValue(), FieldLines.UNKNOWN, List.of()));
            }
            return true;
        } catch (IOException e) {
            return false;
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
                .filter(mark -> mark.createSnippet(0, Integer.MAX_VALUE).strip().startsWith("..."))
                .isPresent();
        return isAbridged ? "a line \"...\" is not a field; write out what it stands for" : e.getProblem();
    }

    private static void add(List<Manifest> found, Manifest manifest) {
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
                        found,
                        new Manifest(
                                manifest.source(),
                                items.get(i),
                                YamlLines.item(manifest.lines(), i),
                                i == 0 ? manifest.notes() : List.of()));
            }
            return;
        }
        found.add(manifest.converted());
    }
}
