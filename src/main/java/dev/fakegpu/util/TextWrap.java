package dev.fakegpu.util;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines for terminals. */
public final class TextWrap {

    /** The columns that the text output of commands is made for. */
    public static final int WIDTH = 120;

    private TextWrap() {}

    /**
     * Breaks at spaces, so that lines have at most {@value #WIDTH} characters; a longer word has a line for itself.
     *
     * @param start of the first line, such as a label; the other lines are indented by its length
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

    /** Items separated by commas, never broken within one; further lines begin with {@code indent}. */
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

    /** The same, further lines indented by the length of {@code start}. */
    public static List<String> items(String start, List<String> items) {
        return items(start, " ".repeat(start.length()), items);
    }
}
