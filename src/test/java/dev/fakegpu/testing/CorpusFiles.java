package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of a corpus, whose first lines are comments {@code # <key>: <value>}. */
public final class CorpusFiles {

    private static final String EXPECT = "# expect: ";

    private CorpusFiles() {}

    /** The value of {@code # <key>:} in the comments at the top. */
    public static String header(Path file, String key) {
        String prefix = "# " + key + ": ";
        return lines(file).stream()
                .takeWhile(line -> line.startsWith("#"))
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(file + " has no line \"" + prefix + "...\""));
    }

    /** Rewrites the expected message of the file. */
    public static void expect(Path file, String message) {
        try {
            Files.write(
                    file,
                    lines(file).stream()
                            .map(line -> line.startsWith(EXPECT) ? EXPECT + message : line)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
