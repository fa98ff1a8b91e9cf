package dev.fakegpu.cluster.check;

import dev.fakegpu.util.JUnitWriter;
import java.util.List;
import javax.xml.stream.XMLStreamException;

/**
 * A report as JUnit XML: a test suite for each slice, pool, class and other object, with a test case for each rule of its scope. Findings
 * below the failing severity are output of passing cases.
 */
public final class JUnitXml {

    private final JUnitWriter to;
    private final Severity failsFrom;

    private JUnitXml(JUnitWriter to, Severity failsFrom) {
        this.to = to;
        this.failsFrom = failsFrom;
    }

    /** @param failsFrom the lowest severity that makes a case fail */
    public static String of(CheckReport report, Severity failsFrom) {
        return JUnitWriter.document("fakegpu check", to -> new JUnitXml(to, failsFrom).write(report));
    }

    private void write(CheckReport report) throws XMLStreamException {
        for (CheckReport.Subject subject : report.subjects()) {
            List<Rule> rules = report.rules().stream()
                    .filter(rule -> rule.scope() == subject.scope())
                    .toList();
            to.suite(subject.file() + ": " + subject.name(), rules.size(), failures(subject), () -> {
                for (Rule rule : rules) {
                    testCase(rule, subject);
                }
            });
        }
    }

    private long failures(CheckReport.Subject subject) {
        return subject.findings().stream()
                .map(Violation::rule)
                .filter(this::fails)
                .distinct()
                .count();
    }

    private boolean fails(Rule rule) {
        return rule.severity().compareTo(failsFrom) <= 0;
    }

    private void testCase(Rule rule, CheckReport.Subject subject) throws XMLStreamException {
        List<Violation> findings = subject.findings().stream()
                .filter(finding -> finding.rule().equals(rule))
                .toList();
        if (findings.isEmpty()) {
            to.passed(subject.name(), rule.name());
            return;
        }
        boolean fails = fails(rule);
        to.said(subject.name(), rule.name(), fails ? "failure" : "system-out", () -> {
            if (fails) {
                to.attribute("message", findings.get(0).message());
                to.attribute("type", rule.severity().toString());
            }
            for (Violation finding : findings) {
                to.text(JUnitWriter.safe(finding.where() + ": " + finding.message()) + "\n");
            }
            to.text(rule.why() + "\n" + rule.fix() + "\n" + rule.source());
        });
    }
}
