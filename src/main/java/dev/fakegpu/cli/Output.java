package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code -o}: objects as YAML documents, or as a list in JSON, in the way {@code kubectl get} prints them. */
final class Output {

    enum Format {
        yaml,
        json
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.yaml;

    /**
     * Some objects with a remark on them.
     *
     * @param remark a line above them in YAML, which has comments; empty for none
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
        try {
            return json.writerWithDefaultPrettyPrinter().writeValueAsString(list);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
