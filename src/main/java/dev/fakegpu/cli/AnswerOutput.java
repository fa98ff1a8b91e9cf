package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option {@code -o} of commands whose answers people or programs read. */
final class AnswerOutput {

    private static final ObjectMapper JSON = new ObjectMapper();

    enum Format {
        text,
        json,
        yaml,
        name
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.text;

    /**
     * An answer in each of its forms.
     *
     * @param data the answer as JSON and YAML
     * @param names the names of the objects in the answer, as {@code kubectl get -o name} prints them
     */
    record Answers(Supplier<List<String>> text, Supplier<?> data, Supplier<List<String>> names) {

        List<String> lines(Format format) {
            return switch (format) {
                case text -> text.get();
                case json -> List.of(json(data.get()));
                case yaml -> List.of(yaml(data.get()).stripTrailing());
                case name -> names.get();
            };
        }
    }

    /** Prints one of the forms to the command's output. */
    void print(CommandSpec command, Answers answers) {
        PrintWriter out = command.commandLine().getOut();
        answers.lines(format).forEach(out::println);
        out.flush();
    }

    /** Whether the output is text. */
    boolean isText() {
        return format == Format.text;
    }

    /** Indented, to make it readable for people. */
    static String json(Object value) {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the same data as in JSON. */
    private static String yaml(Object value) {
        return Serialization.asYaml(JSON.<JsonNode>valueToTree(value));
    }

    /** Returns a name such as {@code pod/a}. */
    static String name(String kind, String name) {
        return switch (kind) {
            case "Pod", "pod" -> "pod/" + name;
            default -> "resourceclaim.resource.k8s.io/" + name;
        };
    }
}
