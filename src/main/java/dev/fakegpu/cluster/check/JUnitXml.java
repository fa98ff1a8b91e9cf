package dev.fakegpu.cluster.check;

import dev.fakegpu.util.SafeText;
import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A report as JUnit XML: a test suite for each slice, pool, class and other object, with a test case for each rule of its scope. Findings below the
 * severity that fails are output of cases that pass.
 */
public final class JUnitXml {

    private final XMLStreamWriter xml;
    private final Severity failsFrom;

    private JUnitXml(XMLStreamWriter xml, Severity failsFrom) {
        this.xml = xml;
        this.failsFrom = failsFrom;
    }

    /** @param failsFrom the lowest severity that makes a case fail */
    public static String of(CheckReport report, Severity failsFrom) {
        var text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            new JUnitXml(xml, failsFrom).write(report);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    private void write(CheckReport report) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        line("");
        xml.writeStartElement("testsuites");
        xml.writeAttribute("name", "fakegpu check");
        for (CheckReport.Subject subject : report.subjects()) {
            List<Rule> rules = report.rules().stream()
                    .filter(rule -> rule.scope() == subject.scope())
                    .toList();
            line("  ");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", safe(subject.file() + ": " + subject.name()));
            xml.writeAttribute("tests", Integer.toString(rules.size()));
            xml.writeAttribute("failures", Long.toString(failures(subject)));
            for (Rule rule : rules) {
                testCase(rule, subject);
            }
            line("  ");
            xml.writeEndElement();
        }
        line("");
        xml.writeEndElement();
        line("");
        xml.writeEndDocument();
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
        line("    ");
        if (findings.isEmpty()) {
            xml.writeEmptyElement("testcase");
            attributes(rule, subject);
            return;
        }
        xml.writeStartElement("testcase");
        attributes(rule, subject);
        line("      ");
        if (fails(rule)) {
            xml.writeStartElement("failure");
            xml.writeAttribute("message", safe(findings.get(0).message()));
            xml.writeAttribute("type", rule.severity().toString());
        } else {
            xml.writeStartElement("system-out");
        }
        for (Violation finding : findings) {
            xml.writeCharacters(safe(finding.where() + ": " + finding.message()) + "\n");
        }
        xml.writeCharacters(rule.why() + "\n" + rule.fix() + "\n" + rule.source());
        xml.writeEndElement();
        line("    ");
        xml.writeEndElement();
    }

    private void attributes(Rule rule, CheckReport.Subject subject) throws XMLStreamException {
        xml.writeAttribute("classname", safe(subject.name()));
        xml.writeAttribute("name", rule.name());
    }

    private void line(String indent) throws XMLStreamException {
        xml.writeCharacters("\n" + indent);
    }

    private static String safe(String text) {
        return SafeText.of(text, SafeText.LOG_MESSAGE);
    }
}
