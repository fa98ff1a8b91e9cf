package dev.fakegpu.cluster.check;

import dev.fakegpu.util.SafeText;
import dev.fakegpu.util.TextWrap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report as text: findings by rule, errors first. */
public final class CheckReportText {

    private static final int MAX_SHOWN = 5;
    private static final String INDENT = "  ";

    private CheckReportText() {}

    public static List<String> lines(CheckReport report) {
        var lines = new ArrayList<String>();
        for (Severity severity : Severity.values()) {
            byRule(report, severity).forEach((rule, findings) -> {
                lines.add(rule.severity() + " " + rule.name());
                findings.stream().limit(MAX_SHOWN).forEach(finding -> lines.addAll(lines(finding)));
                if (findings.size() > MAX_SHOWN) {
                    lines.add(INDENT + "and in " + (findings.size() - MAX_SHOWN)
                            + " more places (-o json lists them all)");
                }
                lines.addAll(help(rule));
                lines.add("");
            });
        }
        lines.add(summary(report));
        return lines;
    }

    /** All rules with their help. */
    public static List<String> rules() {
        var lines = new ArrayList<String>();
        CheckRules.all().forEach(rule -> {
            lines.add(rule.severity() + " " + rule.name() + " (" + rule.scope() + ")");
            lines.addAll(help(rule));
            lines.add("");
        });
        lines.add(CheckRules.all().size() + " rules");
        return lines;
    }

    private static Map<Rule, List<Violation>> byRule(CheckReport report, Severity severity) {
        var byRule = new LinkedHashMap<Rule, List<Violation>>();
        report.findings().stream()
                .filter(finding -> finding.rule().severity() == severity)
                .forEach(finding -> byRule.computeIfAbsent(finding.rule(), ignored -> new ArrayList<>())
                        .add(finding));
        return byRule;
    }

    /** The name of the file is never broken across lines, so that it can be copied. */
    private static List<String> lines(Violation finding) {
        Where where = finding.where();
        String place = where.path() + (where.device().isEmpty() ? "" : " (" + where.device() + ")");
        var lines = new ArrayList<String>();
        lines.add(safe(INDENT + where.object() + " in " + where.position()));
        lines.addAll(TextWrap.lines(INDENT + INDENT, safe(place + ": " + finding.message())));
        return lines;
    }

    private static List<String> help(Rule rule) {
        var lines = new ArrayList<>(TextWrap.lines(INDENT + "why:    ", rule.why()));
        lines.addAll(TextWrap.lines(INDENT + "fix:    ", rule.fix()));
        lines.addAll(TextWrap.lines(INDENT + "source: ", rule.source()));
        return lines;
    }

    private static String summary(CheckReport report) {
        long others = report.count(Scope.OBJECT);
        String classes = report.count(Scope.CLASS) == 1 ? "1 class" : report.count(Scope.CLASS) + " classes";
        String checked = "%s rules, %s, %s%s%s checked"
                .formatted(
                        report.rules().size(),
                        number(report.count(Scope.SLICE), "slice"),
                        number(report.count(Scope.POOL), "pool"),
                        (others == 0 ? " and " : ", ") + classes,
                        others == 0 ? "" : " and " + number(others, "other object"));
        String found = report.findings().isEmpty()
                ? "nothing found"
                : number(report.count(Severity.ERROR), "error") + ", "
                        + number(report.count(Severity.WARNING), "warning");
        return found + ": " + checked;
    }

    private static String number(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private static String safe(String text) {
        return SafeText.of(text, SafeText.LOG_MESSAGE);
    }
}
