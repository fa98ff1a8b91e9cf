package dev.fakegpu.util;

import java.util.ArrayList;
import java.util.List;

/** Wraps text for people at 120 columns. */
public final class WrappedText {

    private static final int COLUMNS = 120;

    /** A limit that no line about a cluster reaches. */
    private static final int MAX_LINE = 100_000;

    private WrappedText() {}

    /**
     * Splits a text into lines without line ends. Words are not broken.
     *
     * @param indent of the first line, in columns; other lines are indented by two more
     */
    public static List<String> lines(int indent, String text) {
        var lines = new ArrayList<String>();
        String rest = SafeText.of(text, MAX_LINE);
        int margin = indent;
        while (rest.length() > COLUMNS - margin) {
            int end = rest.lastIndexOf(' ', COLUMNS - margin);
            if (end <= 0) {
                end = rest.indexOf(' ', COLUMNS - margin);
            }
            if (end < 0) {
                break;
            }
            lines.add(" ".repeat(margin) + rest.substring(0, end).stripTrailing());
            rest = rest.substring(end + 1);
            margin = indent + 2;
        }
        lines.add(" ".repeat(margin) + rest);
        return lines;
    }
}
