package dev.fakegpu.util;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lines of text: aligned columns, and lists that are wrapped. */
public final class TextTable {

    private static final String GAP = "  ";
    private static final int MAX_WIDTH = 120;

    private TextTable() {}

    /** @param rows of equal length, the header first */
    public static List<String> aligned(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(column -> row.get(column)
                                + " ".repeat(widths[column] - row.get(column).length()))
                        .collect(Collectors.joining(GAP))
                        .stripTrailing())
                .toList();
    }

    /** The items after {@code start}, separated by commas; further lines are indented by its length. */
    public static List<String> wrapped(String start, List<String> items) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder(start);
        for (int i = 0; i < items.size(); i++) {
            String item = items.get(i) + (i + 1 < items.size() ? ", " : "");
            boolean isFirst = line.length() == start.length();
            if (!isFirst && line.length() + item.stripTrailing().length() > MAX_WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(start.length()));
            }
            line.append(item);
        }
        lines.add(line.toString());
        return lines;
    }
}
