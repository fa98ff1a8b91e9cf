package dev.fakegpu.util;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Formats text in aligned columns. */
public final class TextTable {

    private static final String GAP = "  ";

    private TextTable() {}

    /** @param rows of equal length, the header first */
    public static List<String> aligned(List<List<String>> rows) {
        int[] widths = widths(rows);
        return rows.stream()
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(column -> row.get(column)
                                + " ".repeat(widths[column] - row.get(column).length()))
                        .collect(Collectors.joining(GAP))
                        .stripTrailing())
                .toList();
    }

    /** The width of each column in characters. */
    public static int[] widths(List<List<String>> rows) {
        return IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
    }
}
