package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Handmade problems with upstream's answers, one on each line. Each problem shows a rule of upstream's allocator. */
public final class AllocatorCorpus {

    private static final String FOLDER = "src/test/resources/allocator-corpus";
    private static final ObjectMapper JSON = new ObjectMapper();

    private AllocatorCorpus() {}

    /** One file for each topic. */
    static List<Path> files() {
        try {
            return ProjectFiles.list(FOLDER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All problems. */
    public static Stream<ObjectNode> problems() {
        return files().stream().flatMap(file -> read(file).stream());
    }

    static List<ObjectNode> read(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(AllocatorCorpus::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode parse(String line) {
        try {
            return (ObjectNode) JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
