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
}
