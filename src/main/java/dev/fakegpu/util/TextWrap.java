package dev.fakegpu.util;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines for terminals. */
public final class TextWrap {

    /** The width of the commands' text output, in columns. */
    public static final int WIDTH = 120;

    private TextWrap() {}

    /**
     * Breaks a text at spaces into lines of at most {@value #WIDTH} characters. A longer word has a line of its own.
     *
     * @param start begins the first line, such as a label; other lines are indented by its length
     */
    public static List<String> lines(String start, String text) {
        var lines = new ArrayList<String>();
        String indent = " ".repeat(start.length());
        var line = new StringBuilder(start);
        boolean empty = true;
        for (String word : text.split(" ")) {
            if (!empty && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
        return lines;
    }

    /** Joins items with commas and breaks lines only between items. Further lines begin with {@code indent}. */
    public static List<String> items(String start, String indent, List<String> items) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder(start);
        for (int i = 0; i < items.size(); i++) {
            String item = items.get(i) + (i + 1 < items.size() ? ", " : "");
            if (i > 0 && line.length() + item.stripTrailing().length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
            }
            line.append(item);
        }
        lines.add(line.toString());
        return lines;
    }

    /** Does the same, and indents further lines by the length of {@code start}. */
    public static List<String> items(String start, List<String> items) {
        return items(start, " ".repeat(start.length()), items);
    }
}
