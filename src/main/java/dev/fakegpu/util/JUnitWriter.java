package dev.fakegpu.util;

import java.io.StringWriter;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes JUnit XML as CI servers read it. Names and messages are truncated and made safe; texts are written as they are. */
public final class JUnitWriter {

    /** Writes the content of the document, or of a part of it. */
    @FunctionalInterface
    public interface Content {
        void write() throws XMLStreamException;
    }

    /** Writes a document. */
    @FunctionalInterface
    public interface Document {
        void write(JUnitWriter to) throws XMLStreamException;
    }

    private final XMLStreamWriter xml;

    private JUnitWriter(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /** @param name the name of the document, which contains all suites */
    public static String document(String name, Document content) {
        var text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            var writer = new JUnitWriter(xml);
            xml.writeStartDocument("UTF-8", "1.0");
            writer.line("");
            xml.writeStartElement("testsuites");
            xml.writeAttribute("name", name);
            content.write(writer);
            writer.end("");
            writer.line("");
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    public void suite(String name, long tests, long failures, Content cases) throws XMLStreamException {
        line("  ");
        xml.writeStartElement("testsuite");
        attribute("name", name);
        xml.writeAttribute("tests", Long.toString(tests));
        xml.writeAttribute("failures", Long.toString(failures));
        cases.write();
        end("  ");
    }

    /** Writes a case that passed without output. */
    public void passed(String className, String name) throws XMLStreamException {
        line("    ");
        xml.writeEmptyElement("testcase");
        names(className, name);
    }

    /** Writes a case with one element: {@code failure}, or the {@code system-out} of a case that passed. */
    public void said(String className, String name, String element, Content content) throws XMLStreamException {
        line("    ");
        xml.writeStartElement("testcase");
        names(className, name);
        line("      ");
        xml.writeStartElement(element);
        content.write();
        xml.writeEndElement();
        end("    ");
    }

    public void attribute(String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, safe(value));
    }

    public void text(String text) throws XMLStreamException {
        xml.writeCharacters(text);
    }

    public static String safe(String text) {
        return SafeText.of(text, SafeText.LOG_MESSAGE);
    }

    private void names(String className, String name) throws XMLStreamException {
        attribute("classname", className);
        attribute("name", name);
    }

    private void end(String indent) throws XMLStreamException {
        line(indent);
        xml.writeEndElement();
    }

    private void line(String indent) throws XMLStreamException {
        xml.writeCharacters("\n" + indent);
    }
}
