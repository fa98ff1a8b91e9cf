package dev.fakegpu.operator.prepare.smi;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of {@code views.txt} that are printed together; that file describes its format.
 *
 * @param name the answer to which they belong
 * @param condition the value that must be known; empty for none
 * @param list the list for whose elements the lines are repeated; empty for none
 */
record SmiView(String name, String condition, String list, List<String> lines) {

    private static final Pattern LINE = Pattern.compile("([\\w.-]+)(?:\\[([!*]?\\w+)])?\\|(.*)");

    /** All lines, in order. */
    static final List<SmiView> ALL = read();

    void print(SmiValues values, StringBuilder text) {
        boolean negated = condition.startsWith("!");
        String name = negated ? condition.substring(1) : condition;
        if (!name.isEmpty() && values.isKnown(name) == negated) {
            return;
        }
        for (SmiValues each : list.isEmpty() ? List.of(values) : values.each(list)) {
            for (String line : lines) {
                text.append(this.name).append(' ').append(each.fillAll(line)).append('\n');
            }
        }
    }

    private static List<SmiView> read() {
        var all = new ArrayList<SmiView>();
        for (String line : SmiTable.lines("views.txt")) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalStateException("not a line of a view: " + line);
            }
            String condition = parts.group(2) == null ? "" : parts.group(2);
            String list = condition.startsWith("*") ? condition.substring(1) : "";
            var view = new SmiView(
                    parts.group(1), list.isEmpty() ? condition : "", list, new ArrayList<>(List.of(parts.group(3))));
            SmiView last = all.isEmpty() ? null : all.get(all.size() - 1);
            if (last != null && !list.isEmpty() && last.name.equals(view.name) && last.list.equals(list)) {
                last.lines.addAll(view.lines);
            } else {
                all.add(view);
            }
        }
        return List.copyOf(all);
    }
}
