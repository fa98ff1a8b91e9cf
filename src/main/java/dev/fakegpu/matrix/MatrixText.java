package dev.fakegpu.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A matrix as text tables. */
public final class MatrixText {

    private static final String GAP = "  ";
    private static final int MAX_WIDTH = 120;

    private MatrixText() {}

    public static List<String> lines(Matrix matrix) {
        var lines = new ArrayList<String>();
        for (SetMatrix set : matrix.sets()) {
            lines.addAll(lines(set));
            lines.add("");
        }
        if (!matrix.independent().isEmpty()) {
            lines.add("Without counters, so that nothing excludes them: " + String.join(", ", matrix.independent()));
            lines.add("");
        }
        if (!matrix.sets().isEmpty()) {
            lines.add("yes: any two of them can be allocated at once; some: it depends on which two;");
            lines.add("no: what excludes them: the groups, the counter that is short, or both");
            if (hasSharedDevices(matrix)) {
                lines.add("shared: several claims can be allocated the same device, each a part of it");
            }
        }
        return List.copyOf(lines);
    }

    private static boolean hasSharedDevices(Matrix matrix) {
        return matrix.sets().stream()
                .flatMap(set -> set.rows().stream())
                .anyMatch(row -> row.atOnce().endsWith(SetMatrix.SHARED));
    }

    private static List<String> lines(SetMatrix set) {
        var lines = new ArrayList<String>();
        lines.add(set.counterSet() + " of pool " + set.pool() + ", driver " + set.driver()
                + (set.alike() == 0 ? "" : ", and " + set.alike() + " more like it"));
        lines.addAll(wrapped("has ", set.counters()));
        lines.addAll(table(set.rows()));
        return lines;
    }

    private static List<String> wrapped(String start, List<String> items) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder(GAP + start);
        for (int i = 0; i < items.size(); i++) {
            String item = items.get(i) + (i + 1 < items.size() ? ", " : "");
            if (line.length() + item.stripTrailing().length() > MAX_WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(GAP + " ".repeat(start.length()));
            }
            line.append(item);
        }
        lines.add(line.toString());
        return lines;
    }

    private static List<String> table(List<SetMatrix.Row> rows) {
        var cells = new ArrayList<List<String>>();
        var header = new ArrayList<>(List.of("", "DEVICES", "COUNT", "AT ONCE", "GROUPS"));
        IntStream.rangeClosed(1, rows.size())
                .mapToObj(number -> "WITH " + number)
                .forEach(header::add);
        cells.add(header);
        for (int i = 0; i < rows.size(); i++) {
            SetMatrix.Row row = rows.get(i);
            var line = new ArrayList<>(List.of(
                    Integer.toString(i + 1),
                    row.kind(),
                    Integer.toString(row.devices()),
                    row.atOnce(),
                    row.groups().isEmpty() ? "-" : String.join(",", row.groups())));
            line.addAll(row.with());
            cells.add(line);
        }
        return aligned(cells);
    }

    private static List<String> aligned(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream()
                .map(row -> GAP
                        + IntStream.range(0, row.size())
                                .mapToObj(column -> row.get(column)
                                        + " "
                                                .repeat(widths[column]
                                                        - row.get(column).length()))
                                .collect(Collectors.joining(GAP))
                                .stripTrailing())
                .toList();
    }
}
