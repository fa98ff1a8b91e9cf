package dev.fakegpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.ChartSchema.Value;
import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that each value of {@code deploy/chart} changes exactly the expected fields. {@code golden/chart-values.txt} has arguments of
 * {@code helm template}, and below them the differences that the last argument makes. {@code -Dgolden.update=true} rewrites the differences
 * and fails, so that they are reviewed.
 */
class ChartValuesIT {

    private static final String FILE = "src/test/resources/golden/chart-values.txt";
    private static final String INDENT = "    ";
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final List<String> OF_DASHBOARD = List.of("dashboard.address", "dashboard.asUser");

    /** Helm needs no cluster for rendering. */
    private final CommandLine commands = new CommandLine(Path.of("no-kubeconfig"));

    @TempDir
    Path dir;

    private final Map<String, Map<String, JsonNode>> rendered = new TreeMap<>();

    @Test
    void everyValueChangesTheExpectedFields() throws IOException {
        Path file = ProjectFiles.resolve(FILE);
        String expected = Files.readString(file);
        var actual = new StringBuilder();
        for (String line :
                expected.lines().filter(line -> !line.startsWith(INDENT)).toList()) {
            actual.append(line).append('\n');
            if (line.startsWith("--")) {
                changes(line)
                        .forEach(change -> actual.append(INDENT).append(change).append('\n'));
            }
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, actual);
            fail(FILE + " is written anew; review it and run again without golden.update");
        }
        assertThat(actual.toString()).isEqualTo(expected);
    }

    @Test
    void everyValueIsTried() throws IOException {
        var tried = Files.readAllLines(ProjectFiles.resolve(FILE)).stream()
                .filter(line -> line.startsWith("--"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .toList();

        assertThat(ChartSchema.values())
                .extracting(Value::path)
                .allSatisfy(path -> assertThat(tried)
                        .anyMatch(value -> value.startsWith(path + "=")
                                || value.startsWith(path + ".")
                                || value.startsWith(path + "[")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lint", "template"})
    void everyWrongTypeIsRefusedAndNamed(String command) throws IOException {
        // Given: all values at once, each with a wrong type
        var values = YAML.createObjectNode();
        for (Value value : ChartSchema.values()) {
            set(
                    values,
                    value.path(),
                    value.schema().path("type").asText().equals("string") ? new IntNode(4) : new TextNode("no type"));
        }

        // When
        String refusal = refusal(command, values);

        // Then
        assertThat(ChartSchema.values())
                .allSatisfy(value -> assertThat(refusal).contains("at '" + value.pointer() + "': "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "companion.gate=Sometimes | at '/companion/gate': value must be one of 'On', 'Off', 'Unaware'",
                "replicas=2 | additional properties 'replicas' not allowed",
                "image.tags=dev | at '/image': additional properties 'tags' not allowed",
                "replicaCount=many | at '/replicaCount': got string, want integer",
                "env[0].name=A,env[0].value=4 | at '/env/0/value': got number, want string",
                "image.digest=latest | at '/image/digest'",
                "image.repository=gpus:dev | at '/image/repository': 'gpus:dev' does not match pattern",
                "image.tag=a b | at '/image/tag': 'a b' does not match pattern",
                "serviceAccount.name=a..b | at '/serviceAccount/name': 'a..b' does not match pattern",
                "serviceAccount.name=null | at '/serviceAccount': missing property 'name'",
                "kubeletPlugin.kubeletRoot=null | at '/kubeletPlugin': missing property 'kubeletRoot'",
                "dashboard.asUser=yes | at '/dashboard/asUser': got string, want boolean",
                "nameOverride=gpus | additional properties 'nameOverride' not allowed",
                "resources.limit.memory=2Gi | at '/resources': additional properties 'limit' not allowed",
                "tolerations[0].operater=Exists | at '/tolerations/0': additional properties 'operater' not allowed",
                "affinity.nodeAfinity.x=y | at '/affinity': additional properties 'nodeAfinity' not allowed",
                "image.pullSecrets[0].secret=a | at '/image/pullSecrets/0': additional properties 'secret' not allowed",
                "podLabels.team=4 | at '/podLabels/team': got number, want string",
                "metrics.serviceMonitor.interval=15 seconds | at '/metrics/serviceMonitor/interval'",
                "kubeletPlugin.enabled=true,kubeletPlugin.namespace=default | \"default\" is the release's namespace",
                "kubeletPlugin.drivers={GPU} | at '/kubeletPlugin/drivers/0': 'GPU' does not match pattern",
            })
    void wrongValueIsRefused(String value, String message) {
        assertThat(commands.helm("template", "release", "deploy/chart", "--set", value)
                        .failed())
                .contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lint", "template"})
    void everyMisspeltKeyIsRefusedAndNamed(String command) throws IOException {
        var values = YAML.createObjectNode();
        var objects = ChartSchema.all().stream().filter(Value::isObject).toList();
        set(values, "misspelt", new TextNode("value"));
        objects.forEach(value -> set(values, value.path() + ".misspelt", new TextNode("value")));

        String refusal = refusal(command, values);

        String message = "additional properties 'misspelt' not allowed";
        assertThat(refusal).contains("at '': " + message);
        assertThat(objects)
                .hasSizeGreaterThan(10)
                .allSatisfy(value -> assertThat(refusal).contains("at '" + value.pointer() + "': " + message));
    }

    /** This includes objects that only a newer chart has, which are missing with {@code --reuse-values}. */
    @ParameterizedTest
    @ValueSource(strings = {"lint", "template"})
    void everyMissingObjectIsNamed(String command) throws IOException {
        for (Value value : ChartSchema.all().stream().filter(Value::isObject).toList()) {
            var values = YAML.createObjectNode();
            set(values, value.path(), NullNode.getInstance());

            String name = value.path().substring(value.path().lastIndexOf('.') + 1);
            assertThat(refusal(command, values)).contains("missing property '" + name + "'");
        }
    }

    /** Values that only a newer chart has are missing with {@code --reuse-values}; {@code null} has the same effect. */
    @Test
    void omittedChoiceHasItsDefault() throws IOException {
        var choices = ChartSchema.values().stream()
                .filter(value -> value.schema().has("enum") || OF_DASHBOARD.contains(value.path()))
                .toList();
        var values = YAML.createObjectNode();
        choices.forEach(value -> set(values, value.path(), NullNode.getInstance()));
        Path file = dir.resolve("values.yaml");
        YAML.writeValue(file.toFile(), values);
        String all = "--set kubeletPlugin.enabled=true --set dashboard.enabled=true";

        assertThat(choices).hasSizeGreaterThan(5).extracting(Value::path).containsAll(OF_DASHBOARD);
        assertThat(render(all + " --values " + file)).isEqualTo(render(all));
    }

    private String refusal(String command, ObjectNode values) throws IOException {
        Path file = dir.resolve("values.yaml");
        YAML.writeValue(file.toFile(), values);
        return commands.helm(command, "deploy/chart", "--values", file.toString())
                .failed();
    }

    private static void set(ObjectNode values, String path, JsonNode value) {
        int dot = path.lastIndexOf('.');
        var parent = dot < 0
                ? values
                : values.withObject("/" + path.substring(0, dot).replace('.', '/'));
        parent.set(path.substring(dot + 1), value);
    }

    /** The differences that the last argument makes. */
    private List<String> changes(String line) throws IOException {
        int last = line.lastIndexOf("--");
        var before = render(line.substring(0, last).strip());
        var after = render(line);
        var changes = new ArrayList<String>();
        for (String name : names(before, after)) {
            if (!before.containsKey(name) || !after.containsKey(name)) {
                changes.add((after.containsKey(name) ? "+ " : "- ") + name);
            } else {
                compare(name + " ", before.get(name), after.get(name), changes);
            }
        }
        return changes;
    }

    private Map<String, JsonNode> render(String arguments) throws IOException {
        var known = rendered.get(arguments);
        if (known != null) {
            return known;
        }
        var command = new ArrayList<>(List.of("template", "fakegpu-operator", "deploy/chart"));
        command.addAll(List.of("--namespace", "fakegpu-system"));
        command.addAll(List.of(arguments.isEmpty() ? new String[0] : arguments.split(" +")));
        String manifests = commands.helm(command.toArray(String[]::new)).succeeded();
        var objects = new TreeMap<String, JsonNode>();
        try (var documents = YAML.readerFor(JsonNode.class).readValues(new YAMLFactory().createParser(manifests))) {
            while (documents.hasNext()) {
                var object = (JsonNode) documents.next();
                if (object.hasNonNull("kind")) {
                    objects.put(name(object), object);
                }
            }
        }
        rendered.put(arguments, objects);
        return objects;
    }

    /** A name such as {@code Service/fakegpu-operator}. It does not contain the namespace, so that another namespace is a difference. */
    private static String name(JsonNode object) {
        return object.get("kind").asText() + "/" + object.at("/metadata/name").asText();
    }

    private static void compare(String path, JsonNode before, JsonNode after, List<String> changes) {
        if (before.equals(after)) {
            return;
        }
        if (before.isContainerNode() && before.getNodeType() == after.getNodeType()) {
            var fieldsBefore = fields(before);
            var fieldsAfter = fields(after);
            for (String field : names(fieldsBefore, fieldsAfter)) {
                compare(
                        path + "/" + field,
                        fieldsBefore.getOrDefault(field, MissingNode.getInstance()),
                        fieldsAfter.getOrDefault(field, MissingNode.getInstance()),
                        changes);
            }
        } else {
            changes.add("%s: %s -> %s".formatted(path, text(before), text(after)));
        }
    }

    private static String text(JsonNode node) {
        return node.isMissingNode() ? "nothing" : node.toString();
    }

    /** The elements of an array by their names, for example of environment variables, and otherwise by their indexes. */
    private static Map<String, JsonNode> fields(JsonNode node) {
        var fields = new TreeMap<String, JsonNode>();
        node.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        if (node.isArray()) {
            node.forEach(element -> fields.put(element.path("name").asText(String.valueOf(fields.size())), element));
        }
        return fields;
    }

    private static TreeSet<String> names(Map<String, JsonNode> one, Map<String, JsonNode> other) {
        var names = new TreeSet<>(one.keySet());
        names.addAll(other.keySet());
        return names;
    }
}
