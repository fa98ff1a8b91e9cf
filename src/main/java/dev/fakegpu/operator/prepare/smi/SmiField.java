package dev.fakegpu.operator.prepare.smi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A row of {@code fields.txt}, which describes its format.
 *
 * @param section the argument of {@code -d} that shows it, {@code MIG} for rows of MIG devices, or {@code CSV} for rows that only {@code
 *     --query-gpu} has
 * @param depth the level in the XML
 * @param textDepth the level in the text of {@code -q}
 * @param label the name of the row in {@code -q}; {@code -} for none
 * @param element the name of the element in {@code -q -x}; {@code -} for none
 * @param value empty for a group
 * @param columns the fields of {@code --query-gpu} that show it
 */
record SmiField(
        String section, int depth, int textDepth, String label, String element, String value, List<Column> columns) {

    static final String NONE = "-";
    static final String MIG_SECTION = "MIG";
    static final String CSV_SECTION = "CSV";

    /** A placeholder for the MIG devices of the GPU. */
    static final String MIG_DEVICES = "@mig";

    private static final String SECTION = "== ";
    private static final int CELLS = 4;
    private static final int BLANKS_OF_A_LEVEL = 2;

    /** All rows, in order. */
    static final List<SmiField> ALL = read();

    /**
     * A field of the CSV output.
     *
     * @param names the name in the header, then synonyms
     * @param unit empty if it has none
     */
    record Column(List<String> names, String unit) {

        static Column of(String text) {
            List<String> names = List.of(text.strip().split(" +"));
            String[] named = names.get(0).split("[\\[\\]]");
            var all = new ArrayList<String>();
            all.add(named[0]);
            all.addAll(names.subList(1, names.size()));
            return new Column(all, named.length > 1 ? named[1] : "");
        }

        String name() {
            return names.get(0);
        }
    }

    boolean isGroup() {
        return value.isEmpty();
    }

    boolean isMigDevices() {
        return label.equals(MIG_DEVICES);
    }

    private static List<SmiField> read() {
        var all = new ArrayList<SmiField>();
        String section = "";
        for (String line : SmiTable.lines("fields.txt")) {
            if (line.startsWith(SECTION)) {
                section = line.substring(SECTION.length());
            } else {
                all.add(parse(section, line));
            }
        }
        return List.copyOf(all);
    }

    private static SmiField parse(String section, String line) {
        if (line.equals(MIG_DEVICES)) {
            return new SmiField(section, 0, 0, MIG_DEVICES, NONE, "", List.of());
        }
        String[] cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
        if (cells.length != CELLS) {
            throw new IllegalStateException("not a row of four cells: " + line);
        }
        int depth = (line.length() - line.stripLeading().length()) / BLANKS_OF_A_LEVEL;
        int textDepth = depth + (cells[0].startsWith(">") ? 1 : 0) - (cells[0].startsWith("<") ? 1 : 0);
        List<Column> columns = cells[3].isEmpty()
                ? List.of()
                : Arrays.stream(cells[3].split(",")).map(Column::of).toList();
        return new SmiField(section, depth, textDepth, cells[0].replaceFirst("^[<>]", ""), cells[1], cells[2], columns);
    }
}
