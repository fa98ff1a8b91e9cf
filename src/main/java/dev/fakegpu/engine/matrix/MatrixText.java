package dev.fakegpu.engine.matrix;

import dev.fakegpu.util.TextTable;
import dev.fakegpu.util.TextWrap;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Formats a matrix as text tables that fit a terminal of {@value TextWrap#WIDTH} columns. Wider tables are split into parts. */
public final class MatrixText {

    private static final String GAP = "  ";

    /** The columns for number, name, count, how many fit at once, and groups. */
    private static final int FIXED_COLUMNS = 5;

    /** The columns at the beginning of each part of a split table: number and name. */
    private static final List<Integer> REPEATED_COLUMNS = List.of(0, 1);

    private MatrixText() {}

    public static List<String> lines(Matrix matrix) {
        var lines = new ArrayList<String>();
        for (SetMatrix set : matrix.sets()) {
            lines.addAll(lines(set));
            lines.add("");
        }
        if (!matrix.independent().isEmpty()) {
            lines.addAll(TextWrap.items("Without counters, so that nothing excludes them: ", "", matrix.independent()));
            lines.add("");
        }
        if (!matrix.sets().isEmpty()) {
            lines.add("yes: any two of them can be allocated at once; some: it depends on which two;");
            lines.add("no: what excludes them: the groups, the counter that is short, or both");
            if (hasSharedDevices(matrix)) {
                lines.add("shared: several claims can be allocated the same device, each a part of it");
            }
        }
        if (!matrix.lints().isEmpty()) {
            lines.add("");
            lines.add("Questionable:");
            matrix.lints().forEach(lint -> lines.addAll(lint(lint)));
        }
        return List.copyOf(lines);
    }

    /** Continuation lines are indented more than the first line. */
    private static List<String> lint(Lint lint) {
        List<String> lines = TextWrap.lines(GAP + GAP, lint.toString());
        return IntStream.range(0, lines.size())
                .mapToObj(index -> index == 0 ? lines.get(0).substring(GAP.length()) : lines.get(index))
                .toList();
    }

    private static boolean hasSharedDevices(Matrix matrix) {
        return matrix.sets().stream()
                .flatMap(set -> set.rows().stream())
                .anyMatch(row -> row.atOnce().endsWith(SetMatrix.SHARED));
    }

    private static List<String> lines(SetMatrix set) {
        var lines = new ArrayList<String>();
        lines.addAll(TextWrap.lines(
                "",
                set.counterSet() + " of pool " + set.pool() + ", driver " + set.driver()
                        + (set.alike() == 0 ? "" : ", and " + set.alike() + " more like it")));
        lines.addAll(TextWrap.items(GAP + "has ", GAP + "    ", set.counters()));
        lines.addAll(table(set.rows()));
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
        return parts(cells);
    }

    /** The table, or several tables with the columns that fit beside the names of the rows. */
    private static List<String> parts(List<List<String>> rows) {
        int[] widths = TextTable.widths(rows);
        var lines = new ArrayList<String>();
        var columns = new ArrayList<>(IntStream.range(0, FIXED_COLUMNS).boxed().toList());
        int begun = columns.size();
        for (int column = FIXED_COLUMNS; column < widths.length; column++) {
            columns.add(column);
            if (width(columns, widths) > TextWrap.WIDTH && columns.size() > begun + 1) {
                columns.remove(columns.size() - 1);
                lines.addAll(aligned(rows, columns));
                lines.add("");
                columns = new ArrayList<>(REPEATED_COLUMNS);
                begun = columns.size();
                columns.add(column);
            }
        }
        lines.addAll(aligned(rows, columns));
        return lines;
    }

    private static int width(List<Integer> columns, int[] widths) {
        return columns.stream()
                .mapToInt(column -> GAP.length() + widths[column])
                .sum();
    }

    private static List<String> aligned(List<List<String>> rows, List<Integer> columns) {
        return TextTable.aligned(rows.stream()
                        .map(row -> columns.stream().map(row::get).toList())
                        .toList())
                .stream()
                .map(line -> GAP + line)
                .toList();
    }
}
