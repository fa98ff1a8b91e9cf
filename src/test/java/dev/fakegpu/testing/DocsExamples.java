package dev.fakegpu.testing;

import java.util.List;

/**
 * Examples in pages of the documentation: code blocks below a comment, which is {@code <!-- file: NAME -->} for a file that the reader
 * saves under this name, or {@code <!-- command -->} for commands with their output, which is missing if the language of the block is
 * {@code sh}. If commands of a page run separately from the others, the comment names their part: {@code <!-- command: PART -->}.
 */
public final class DocsExamples {

    public static final String COMMAND = "command";

    private static final String FILE = "file: ";
    private static final String PART = COMMAND + ": ";

    private DocsExamples() {}

    /**
     * A code block.
     *
     * @param name the name of the file, or {@link #COMMAND}
     * @param part the part of the page that the commands belong to; empty if the page has no parts
     * @param text the text; each command begins with a prompt, <code>"$ "</code>
     */
    public record Block(String name, String part, String text) {

        public boolean isCommand() {
            return name.equals(COMMAND);
        }
    }

    /** The marked code blocks of a page, in order. */
    public static List<Block> of(String page) {
        return PageBlock.of(page).stream()
                .filter(block -> isCommand(block) || isFile(block))
                .map(DocsExamples::example)
                .toList();
    }

    public static boolean isCommand(PageBlock block) {
        return block.mark().equals(COMMAND) || block.mark().startsWith(PART);
    }

    public static boolean isFile(PageBlock block) {
        return block.mark().startsWith(FILE);
    }

    private static Block example(PageBlock block) {
        if (isFile(block)) {
            return new Block(block.mark().substring(FILE.length()), "", block.text());
        }
        boolean isPlain = block.language().equals(PageBlock.COMMANDS_ONLY);
        return new Block(COMMAND, part(block), isPlain ? block.text().replaceAll("(?m)^(?=.)", "\\$ ") : block.text());
    }

    /** The part of its page that a block of commands belongs to; empty if there is none. */
    public static String part(PageBlock block) {
        return block.mark().startsWith(PART) ? block.mark().substring(PART.length()) : "";
    }
}
