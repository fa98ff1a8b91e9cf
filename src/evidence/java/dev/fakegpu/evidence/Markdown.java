package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of a report. */
final class Markdown {

    private final List<String> lines = new ArrayList<>();

    Markdown add(String... more) {
        lines.addAll(Arrays.asList(more));
        return this;
    }

    /** Adds a heading, with the necessary empty lines. */
    Markdown heading(String text) {
        return add("", text, "");
    }

    Markdown row(Object... cells) {
        return add("| "
                + String.join(" | ", Arrays.stream(cells).map(Markdown::cell).toList()) + " |");
    }

    private static String cell(Object value) {
        return String.valueOf(value).replace("|", "\\|").replace("\n", " ");
    }

    Markdown yaml(String summary, String text) {
        add("<details><summary>" + summary + "</summary>", "", "```yaml");
        text.lines().forEach(lines::add);
        return add("```", "", "</details>");
    }

    List<String> lines() {
        return lines;
    }
}
