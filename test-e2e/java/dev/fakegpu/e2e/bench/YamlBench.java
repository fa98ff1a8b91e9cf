package dev.fakegpu.e2e.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares how commands and kubectl parse random YAML. Writes a row of a table to standard output, and the shortest documents with
 * differences to standard error.
 *
 * <p>Arguments: kubectl, the number of documents, and the seed.
 */
final class YamlBench {

    private static final int MAX_SHOWN = 20;
    private static final String BEFORE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: document-%d}\ndata:";

    private static final Pattern KNOWN = Pattern.compile("[\\[:,] -[,\\]}]|[\\[{]-[,\\]}]|\\.inf|\\.Inf|\\.nan");
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private YamlBench() {}

    private record Compared(
            String yaml, @Nullable JsonNode ours, @Nullable JsonNode theirs) {

        boolean isEqual() {
            return sorted(ours).equals(sorted(theirs));
        }

        /**
         * Whether the difference is a known one: a lone dash in brackets, or a number that JSON lacks and that a duplicate key replaces.
         */
        boolean isKnown() {
            return KNOWN.matcher(yaml).find();
        }

        /** kubectl sorts the keys, and numbers above 64 bits lose digits. */
        private static String sorted(@Nullable JsonNode json) {
            if (json == null) {
                return "refused";
            }
            try {
                return JSON.writeValueAsString(JSON.convertValue(json, Object.class))
                        .replaceAll("922337203685477(5808|6000)", "2^63")
                        .replaceAll("1844674407370955(1616|2000)", "2^64");
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        int number = Integer.parseInt(arguments[1]);
        long seed = Long.parseLong(arguments[2]);
        var random = new RandomYaml(seed);
        Path folder = Files.createTempDirectory("yaml-bench");
        var documents = new ArrayList<String>();
        for (int i = 0; i < number; i++) {
            String yaml = BEFORE.formatted(i) + random.next() + "\n";
            documents.add(yaml);
            Files.writeString(folder.resolve("document-" + i + ".yaml"), yaml);
        }
        Map<String, JsonNode> theirs = read(arguments[0], folder);
        var compared = new ArrayList<Compared>();
        for (int i = 0; i < number; i++) {
            JsonNode ours = ours(folder.resolve("document-" + i + ".yaml"));
            compared.add(new Compared(documents.get(i), ours, theirs.get("document-" + i)));
        }
        List<Compared> different = compared.stream()
                .filter(each -> !each.isEqual())
                .sorted(Comparator.comparing(Compared::isKnown)
                        .thenComparing(each -> each.yaml().length()))
                .toList();
        different.stream()
                .limit(MAX_SHOWN)
                .forEach(each -> System.err.println(
                        each.yaml() + "  kubectl: " + each.theirs() + "\n  here: " + each.ours() + "\n"));
        long refused = compared.stream().filter(each -> each.theirs() == null).count();
        long known = different.stream().filter(Compared::isKnown).count();
        System.out.printf("| %d | %d | %d | %d | %d |%n", seed, number, refused, different.size() - known, known);
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private static @Nullable JsonNode ours(Path file) {
        try {
            return Manifests.read(List.of(file.toString())).get(0).json().path("data");
        } catch (InvalidInputException e) {
            return null;
        }
    }

    /** The objects as kubectl parses them, by name; without those that it cannot parse. */
    private static Map<String, JsonNode> read(String kubectl, Path folder) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly())) {
            new ProcessBuilder(
                            kubectl,
                            "--kubeconfig",
                            controlPlane.kubeconfig().toString(),
                            "create",
                            "--dry-run=client",
                            "--validate=false",
                            "-o",
                            "json",
                            "-f",
                            folder.toString())
                    .redirectOutput(output.toFile())
                    .redirectError(folder.resolve("errors").toFile())
                    .start()
                    .waitFor();
        }
        var read = new HashMap<String, JsonNode>();
        try (var values = JSON.readerFor(JsonNode.class).<JsonNode>readValues(Files.newBufferedReader(output, UTF_8))) {
            values.forEachRemaining(value -> objects(value)
                    .forEach(object ->
                            read.put(object.path("metadata").path("name").asText(), object.path("data"))));
        }
        return read;
    }

    private static Iterable<JsonNode> objects(JsonNode value) {
        return value.path("kind").asText().equals("List") ? value.path("items") : List.of(value);
    }
}
