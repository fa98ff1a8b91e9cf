package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds files of the project, regardless of the directory in which Maven or an IDE starts the tests. */
public final class ProjectFiles {

    private ProjectFiles() {}

    /** The file at {@code path}, relative to the directory with the {@code pom.xml}. */
    public static Path resolve(String path) {
        Path file = root().resolve(path);
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no " + path + " in the project");
        }
        return file;
    }

    /** The paths in the directory at {@code path}, sorted by name. */
    public static List<Path> list(String path) throws IOException {
        try (Stream<Path> files = Files.list(resolve(path))) {
            return files.sorted().toList();
        }
    }

    /** The text of a file, which another process may be writing: a character at its end may be incomplete. */
    public static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve("pom.xml"))) {
                return directory;
            }
        }
        throw new IllegalStateException("tests are not run inside the project, but in " + start);
    }
}
