package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option {@code -o} of commands that answer for people or for programs. */
final class TextOrJson {

    private enum Format {
        text,
        json
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.text;

    /** Prints one of the two to the command's output. */
    void print(CommandSpec command, Supplier<List<String>> lines, Supplier<?> json) {
        PrintWriter out = command.commandLine().getOut();
        if (format == Format.json) {
            out.println(json(json.get()));
        } else {
            lines.get().forEach(out::println);
        }
        out.flush();
    }

    /** Indented, for whoever reads it anyway. */
    static String json(Object value) {
        try {
            return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
