package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Examples in pages of the documentation: code blocks below a comment, {@code <!-- file: NAME -->} for a file that the reader saves
 * under that name, and {@code <!-- command -->} for commands with their output.
 */
public final class DocsExamples {

    public static final String COMMAND = "command";

    private static final Pattern BLOCK =
            Pattern.compile("<!-- (?:file: )?(\\S+) -->\n```(?:yaml|console)\n(.*?\n)```", Pattern.DOTALL);

    private DocsExamples() {}

    /**
     * A code block.
     *
     * @param name of the file, or {@link #COMMAND}
     */
    public record Block(String name, String text) {}

    /** The marked code blocks of a page, in order. */
    public static List<Block> of(String page) {
        try {
            return BLOCK.matcher(Files.readString(ProjectFiles.resolve(page)))
                    .results()
                    .map(block -> new Block(block.group(1), block.group(2)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
