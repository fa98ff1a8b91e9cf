package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cli.ProgramRun;
import dev.fakegpu.simulate.memory.ObjectName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks {@code what-if} and {@code simulate --from-cluster} about a real cluster. */
final class AskedCommands {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path kubeconfig;
    private final String namespace;

    AskedCommands(Path kubeconfig, String namespace) {
        this.kubeconfig = kubeconfig;
        this.namespace = namespace;
    }

    /** The answer of {@code what-if -o json}. */
    JsonNode whatIf(AskedChange change) {
        var arguments = arguments("what-if", "json");
        if (!change.objects().isEmpty()) {
            arguments.addAll(List.of("-f", file("objects", list(change.objects()))));
        }
        change.deleted().forEach(pod -> arguments.addAll(List.of("--without", text(pod))));
        try {
            return JSON.readTree(ProgramRun.output(arguments, 0, 3));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The objects at the end of {@code simulate --from-cluster -o state}. */
    List<JsonNode> simulated(AskedChange change) {
        var arguments = arguments("simulate", "state");
        arguments.addAll(List.of("--from-cluster", "--scheduler", "kube"));
        if (!change.objects().isEmpty()) {
            arguments.addAll(List.of("-f", file("objects", list(change.objects()))));
        }
        if (!change.deleted().isEmpty()) {
            var steps = List.of(Map.of(
                    "delete", change.deleted().stream().map(AskedCommands::text).toList()));
            var scenario = Map.of("apiVersion", "fakegpu.dev/v1alpha1", "kind", "Scenario", "steps", steps);
            arguments.addAll(List.of("-f", file("scenario", scenario)));
        }
        var objects = new ArrayList<JsonNode>();
        RandomWorld.json(ProgramRun.output(arguments, 0)).path("items").forEach(objects::add);
        return objects;
    }

    private List<String> arguments(String command, String output) {
        return new ArrayList<>(List.of(command, "--kubeconfig", kubeconfig.toString(), "-n", namespace, "-o", output));
    }

    private static Map<String, Object> list(List<JsonNode> objects) {
        return Map.of("apiVersion", "v1", "kind", "List", "items", objects);
    }

    private static String text(ObjectName pod) {
        return "pod/%s/%s".formatted(pod.namespace(), pod.name());
    }

    private String file(String name, Object content) {
        try {
            Path file = kubeconfig.resolveSibling("%s-%s.json".formatted(namespace, name));
            Files.writeString(file, JSON.writeValueAsString(content));
            return file.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
