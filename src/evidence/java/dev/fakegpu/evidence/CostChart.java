package dev.fakegpu.evidence;

import dev.fakegpu.evidence.SchedulerCost.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** CPU time of each turn as bars; legible on light and dark pages. */
final class CostChart {

    private static final int LEFT = 190;
    private static final int LONGEST = 340;
    private static final int HEIGHT = 26;

    private CostChart() {}

    static List<String> svg(List<Turn> turns) {
        double most = turns.stream().mapToDouble(Turn::processorMillis).max().orElseThrow();
        List<SchedulerCost.Setting> settings =
                turns.stream().map(Turn::setting).distinct().toList();
        int height = 40 + HEIGHT * turns.size() + 10;
        var lines = new ArrayList<>(List.of(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"620\" height=\"%d\" viewBox=\"0 0 620 %d\" role=\"img\" aria-labelledby=\"t\">"
                        .formatted(height, height),
                "<title id=\"t\">CPU time of kube-scheduler for each pod, by setting</title>",
                "<style>text{font:13px system-ui,sans-serif;fill:#768390}.b0{fill:#8c959f}.b1{fill:#4f86c6}.b2{fill:#2da44e}</style>",
                "<text x=\"8\" y=\"22\">kube-scheduler: ms of CPU time for each pod</text>"));
        int y = 40;
        for (SchedulerCost.Setting setting : settings) {
            for (Turn turn : turns) {
                if (turn.setting().equals(setting)) {
                    lines.add(bar(turn, settings.indexOf(setting), y, most));
                    y += HEIGHT;
                }
            }
        }
        lines.add("</svg>");
        return lines;
    }

    private static String bar(Turn turn, int color, int y, double most) {
        int width = (int) Math.round(LONGEST * turn.processorMillis() / most);
        return String.format(
                Locale.ROOT,
                "<text x=\"8\" y=\"%d\">%s</text><rect class=\"b%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"18\"/><text x=\"%d\" y=\"%d\">%.1f</text>",
                y + 14,
                turn.setting().title(),
                color,
                LEFT,
                y,
                width,
                LEFT + width + 8,
                y + 14,
                turn.processorMillis());
    }
}
