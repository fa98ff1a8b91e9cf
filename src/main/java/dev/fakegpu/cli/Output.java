package dev.fakegpu.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code -o}: prints objects as YAML documents or as a JSON list, as {@code kubectl get} does. */
final class Output {

    enum Format {
        yaml,
        json
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description = "Output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.yaml;

    /**
     * Objects with a remark.
     *
     * @param remark printed as a comment above the objects in YAML, and on standard error with JSON; may be empty
     */
    record Part(String remark, List<? extends HasMetadata> objects) {}

    void print(PrintWriter out, PrintWriter err, List<Part> parts) {
        if (format == Format.json) {
            parts.stream().map(Part::remark).filter(remark -> !remark.isEmpty()).forEach(err::println);
            out.println(list(parts));
        } else {
            parts.forEach(part -> printYaml(out, part));
        }
        out.flush();
    }

    private static void printYaml(PrintWriter out, Part part) {
        String remark = part.remark().isEmpty() ? "" : "# " + part.remark() + "\n";
        for (HasMetadata object : part.objects()) {
            out.print(Serialization.asYaml(object).replaceFirst("^---\n", "---\n" + remark));
            remark = "";
        }
    }

    private static String list(List<Part> parts) {
        ObjectMapper json = Serialization.jsonMapper();
        ObjectNode list = json.createObjectNode().put("apiVersion", "v1").put("kind", "List");
        var items = list.putArray("items");
        parts.stream()
                .flatMap(part -> part.objects().stream())
                .map(object -> json.<JsonNode>valueToTree(object))
                .forEach(items::add);
        return AnswerOutput.json(list);
    }
}
