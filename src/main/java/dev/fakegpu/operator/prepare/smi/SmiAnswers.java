package dev.fakegpu.operator.prepare.smi;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes what {@code nvidia-smi} answers of a device: lines of a key, a blank and a text. First who it is ({@code uuid}, {@code gpu}, the
 * UUID of its GPU, and so on), then a line {@code csv name|header|unit|value} for each name of a field of {@code --query-gpu}, lines {@code q
 * SECTION|text} for {@code -q} and {@code x} for {@code -q -x}, each also as {@code q.mig} and {@code x.mig} for a MIG device, and the lines
 * of {@code views.txt}. Of a network card there is only what {@code topo -m} says, after a line {@code nic}, and of other hardware nothing.
 */
public final class SmiAnswers {

    private static final String NOT_KNOWN = "N/A";
    private static final String NO_CELL = "[N/A]";
    private static final int TEXT_COLUMN = 54;
    private static final int XML_DEPTH = 2;

    /** Units that --query-gpu does not print. */
    private static final Pattern SUFFIX = Pattern.compile("^(-?\\d+)( C| bank\\(s\\)|x)$");

    private final SmiValues values;
    private final StringBuilder text = new StringBuilder();
    private final Deque<SmiField> open = new ArrayDeque<>();
    private String xml = "x";
    private int xmlDepth = XML_DEPTH;

    private SmiAnswers(SmiValues values) {
        this.values = values;
    }

    /** @param info the lines of the device's info file */
    public static String text(Map<String, String> info) {
        var answers = new SmiAnswers(SmiValues.of(info));
        if (answers.values.isKnown(SmiValues.NIC)) {
            answers.line("nic", answers.values.fillAll("{nic}"));
            answers.writePlace();
        }
        if (!answers.values.isGpu()) {
            return answers.text.toString();
        }
        answers.writeIdentity();
        answers.writeGpu();
        if (answers.values.isKnown(SmiValues.IS_MIG)) {
            answers.writeMigDevice();
        }
        SmiView.ALL.forEach(view -> view.print(answers.values.ofDevice(), answers.text));
        return answers.text.toString();
    }

    private void line(String key, String line) {
        text.append(key).append(' ').append(line).append('\n');
    }

    private void writeIdentity() {
        line("uuid", values.fillAll("{uuid}"));
        line("gpu", values.fillAll("{gpuUuid}"));
        line("links", values.fillAll("{nvml.nvlinks}"));
        line("cpus", values.fillAll("{nvml.cpuAffinity}"));
        writePlace();
    }

    private void writePlace() {
        line("bus", values.fillAll("{bus}"));
        line("root", values.fillAll("{attribute.resource.kubernetes.io/pcieRoot}"));
        line("numa", values.fillAll("{numaNode}"));
        line("switch", values.fillAll("{sameRoot}"));
    }

    private void writeGpu() {
        line(xml, "\t<gpu id=\"" + escape(values.fillAll("{bus}")) + "\">");
        SmiField.ALL.stream()
                .filter(field -> !field.section().equals(SmiField.MIG_SECTION))
                .forEach(field -> write("q " + field.section() + "|", field));
        closeTo(0);
        line(xml, "\t</gpu>");
        line("q", "*|");
    }

    private void writeMigDevice() {
        xml = "x.mig";
        xmlDepth = XML_DEPTH + 1;
        SmiField.ALL.stream()
                .filter(field -> field.section().equals(SmiField.MIG_SECTION))
                .forEach(field -> new Rows("q.mig ", field, values.ofDevice()).write());
        closeTo(0);
    }

    private void write(String prefix, SmiField field) {
        if (field.isMigDevices()) {
            writeMigDevices(prefix);
        } else if (field.value().startsWith("*")) {
            String[] parts = field.value().substring(1).split(" ", 2);
            values.each(parts[0]).forEach(each -> new Rows(prefix, field, each).write(parts[1]));
        } else {
            new Rows(prefix, field, values).write();
        }
    }

    private void writeMigDevices(String prefix) {
        closeTo(0);
        boolean isMig = values.isKnown(SmiValues.IS_MIG);
        line(xml, "\t\t<mig_devices>");
        line(xml, isMig ? SmiField.MIG_DEVICES : "\t\t\tNone");
        line(xml, "\t\t</mig_devices>");
        if (isMig) {
            text.append(prefix).append(SmiField.MIG_DEVICES).append('\n');
        }
    }

    private void closeTo(int depth) {
        while (!open.isEmpty() && open.peek().depth() >= depth) {
            SmiField group = open.pop();
            line(xml, "\t".repeat(xmlDepth + group.depth()) + "</" + group.element() + ">");
        }
    }

    private static String escape(String value) {
        return value.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** The rows of one field. */
    private final class Rows {

        private final String prefix;
        private final SmiField field;
        private final SmiValues of;

        Rows(String prefix, SmiField field, SmiValues of) {
            this.prefix = prefix;
            this.field = field;
            this.of = of;
        }

        void write() {
            write(field.value());
        }

        void write(String template) {
            if (field.isGroup()) {
                writeText(of.fillAll(field.label()));
                writeElement("");
                return;
            }
            boolean isBare = template.startsWith("~");
            boolean isOptional = template.startsWith("?");
            String value = of.fill(isBare || isOptional ? template.substring(1) : template);
            if (isOptional && value == null) {
                return;
            }
            String shown = value == null ? NOT_KNOWN : value;
            if (!field.section().equals(SmiField.CSV_SECTION)) {
                writeText(field.label()
                        + " "
                                .repeat(Math.max(
                                        0,
                                        TEXT_COLUMN - indent() - field.label().length())) + " : " + shown);
                writeElement(isBare && value != null ? value.substring(2) : shown);
            }
            field.columns().forEach(column -> writeColumn(column, cell(column, shown)));
        }

        private int indent() {
            return 4 * (field.section().equals("*") ? 0 : field.textDepth() + 1);
        }

        private void writeText(String row) {
            if (!field.label().equals(SmiField.NONE)) {
                text.append(prefix).append(" ".repeat(indent())).append(row).append('\n');
            }
        }

        private void writeElement(String value) {
            if (field.element().equals(SmiField.NONE)) {
                return;
            }
            closeTo(field.depth());
            String tag = "\t".repeat(xmlDepth + field.depth()) + "<" + field.element() + ">";
            if (field.isGroup()) {
                line(xml, tag);
                open.push(field);
            } else {
                line(xml, tag + escape(value) + "</" + field.element() + ">");
            }
        }

        private String cell(SmiField.Column column, String shown) {
            if (shown.equals(NOT_KNOWN)) {
                return NO_CELL;
            }
            if (shown.equals(SmiValues.NOT_PERMITTED) || shown.equals(SmiValues.DEPRECATED)) {
                return "[" + shown + "]";
            }
            return column.unit().isEmpty() ? SUFFIX.matcher(shown).replaceFirst("$1") : shown;
        }

        private void writeColumn(SmiField.Column column, String cell) {
            for (String name : column.names()) {
                line("csv", String.join("|", List.of(name, column.name(), column.unit(), cell)));
            }
        }
    }
}
