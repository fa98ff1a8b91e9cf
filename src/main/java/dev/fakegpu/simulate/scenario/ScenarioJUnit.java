package dev.fakegpu.simulate.scenario;

import dev.fakegpu.simulate.scenario.ScenarioRun.Check;
import dev.fakegpu.simulate.scenario.ScenarioRun.StepResult;
import dev.fakegpu.util.SafeText;
import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The results of scenarios as JUnit XML: a test case for each expectation, and for each step that could not be played. */
public final class ScenarioJUnit {

    private final XMLStreamWriter xml;

    private ScenarioJUnit(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /** @param name of the suite, such as the file of the scenario */
    public static String of(String name, List<StepResult> results) {
        var text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            new ScenarioJUnit(xml).write(name, results);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    private void write(String name, List<StepResult> results) throws XMLStreamException {
        xml.writeStartDocument("UTF-8", "1.0");
        line("");
        xml.writeStartElement("testsuites");
        xml.writeAttribute("name", "fakegpu simulate");
        line("  ");
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", safe(name));
        xml.writeAttribute("tests", Long.toString(count(results, false)));
        xml.writeAttribute("failures", Long.toString(count(results, true)));
        String title = "";
        for (StepResult result : results) {
            title = result.title().isEmpty() ? title : result.title();
            for (Check check : result.checks()) {
                testCase(result.number() + ". " + title, check);
            }
        }
        line("  ");
        xml.writeEndElement();
        line("");
        xml.writeEndElement();
        line("");
        xml.writeEndDocument();
    }

    private static long count(List<StepResult> results, boolean failedOnly) {
        return results.stream()
                .flatMap(result -> result.checks().stream())
                .filter(check -> !failedOnly || !check.passed())
                .count();
    }

    private void testCase(String step, Check check) throws XMLStreamException {
        line("    ");
        if (check.passed()) {
            xml.writeEmptyElement("testcase");
            names(step, check);
            return;
        }
        xml.writeStartElement("testcase");
        names(step, check);
        line("      ");
        xml.writeStartElement("failure");
        xml.writeAttribute("message", safe(check.actual()));
        xml.writeCharacters(safe(check.why()));
        xml.writeEndElement();
        line("    ");
        xml.writeEndElement();
    }

    private void names(String step, Check check) throws XMLStreamException {
        xml.writeAttribute("classname", safe(step));
        xml.writeAttribute("name", safe(check.expected()));
    }

    private void line(String indent) throws XMLStreamException {
        xml.writeCharacters("\n" + indent);
    }

    private static String safe(String text) {
        return SafeText.of(text, SafeText.LOG_MESSAGE);
    }
}
