package dev.fakegpu.kube.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OlderVersionTest {

    private static final YAMLMapper YAML = new YAMLMapper();

    /**
     * Objects of {@code pkg/apis/resource/fuzzer} in an older version, and their conversions to {@code v1} by Kubernetes 1.37.1, without
     * defaults. In half of the requests of {@code v1beta1}, some fields are empty, zero or null. {@code -Dolder.pairs} sets another file.
     */
    private static final Path UPSTREAM =
            ProjectFiles.resolve(System.getProperty("older.pairs", "src/test/resources/older-versions/upstream.jsonl"));

    @Test
    void olderVersionIsConvertedAsByTheApiServer() throws IOException {
        List<String> pairs = Files.readAllLines(UPSTREAM);

        assertThat(pairs).hasSizeGreaterThan(50).allSatisfy(line -> {
            JsonNode pair = yaml(line);
            assertThat(pruned(converted(pair.path("old")))).isEqualTo(pruned(pair.path("v1")));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "DeviceClass, v1beta1",
        "ResourceClaim, v1beta1",
        "ResourceClaimTemplate, v1beta1",
        "ResourceSlice, v1beta1",
        "DeviceClass, v1beta2",
        "ResourceClaim, v1beta2",
        "ResourceClaimTemplate, v1beta2",
        "ResourceSlice, v1beta2",
        "DeviceTaintRule, v1beta2",
        "DeviceTaintRule, v1alpha3"
    })
    void whatIsWrittenInAnOlderVersionIsReadUnchanged(KnownKind kind, String version) {
        var objects = new RandomObject(new Random(34));
        for (int i = 0; i < 300; i++) {
            ObjectNode object = objects.of(kind);

            assertThat(pruned(converted(older(object, version)))).isEqualTo(pruned(object));
        }
    }

    /** The API server writes {@code deviceClassName} even if it is empty, since the field cannot be omitted. */
    @Test
    void anEmptyClassBesideAlternativesIsNotARequest() {
        JsonNode claim = claim("{name: gpu, deviceClassName: '', firstAvailable: [{name: a, deviceClassName: c}]}");

        assertThat(converted(claim).at("/spec/devices/requests/0"))
                .isEqualTo(yaml("{name: gpu, firstAvailable: [{name: a, deviceClassName: c}]}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{name: a, basic: {name: b}}",
                "{name: a, basic: {basic: {}}}",
                "{name: a, basic: []}",
                "{name: a, basic: some}",
                "{name: a, attributes: {}}"
            })
    void aDeviceThatNoApiServerReadsIsNotConverted(String device) {
        assertThat(OlderVersion.convert(slice("{devices: [" + device + "]}"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nodeName: []}", "{nodeName: {}}", "{allNodes: 'false'}", "{allNodes: 0}"})
    void aValueOfAnotherShapeIsNotTreatedAsMissing(String spec) {
        assertThat(converted(slice(spec)).path("spec")).isEqualTo(yaml(spec));
    }

    private static JsonNode converted(JsonNode object) {
        return OlderVersion.convert(object).orElseThrow().object();
    }

    private static JsonNode claim(String request) {
        return yaml("{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, spec: {devices: {requests: [" + request
                + "]}}}");
    }

    private static JsonNode slice(String spec) {
        return yaml("{apiVersion: resource.k8s.io/v1beta1, kind: ResourceSlice, spec: " + spec + "}");
    }

    /** Parses YAML or JSON, which is also YAML. */
    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Corresponds to {@code Convert_resource_DeviceRequest_To_v1beta1_DeviceRequest} and {@code Convert_resource_Device_To_v1beta1_Device}.
     */
    private static ObjectNode older(ObjectNode object, String version) {
        ObjectNode older = object.deepCopy().put("apiVersion", "resource.k8s.io/" + version);
        if (version.equals("v1beta1")) {
            JsonNode spec = older.path("spec").has("spec") ? older.at("/spec/spec") : older.path("spec");
            spec.at("/devices/requests").forEach(each -> {
                ObjectNode request = (ObjectNode) each;
                request.put("deviceClassName", "");
                if (request.remove("exactly") instanceof ObjectNode exactly) {
                    request.setAll(exactly);
                }
            });
            if (spec.path("devices") instanceof ArrayNode devices) {
                devices.forEach(OlderVersionTest::underBasic);
            }
        }
        return older;
    }

    private static void underBasic(JsonNode each) {
        ObjectNode device = (ObjectNode) each;
        ObjectNode basic = device.deepCopy();
        JsonNode name = basic.remove("name");
        device.removeAll().set("basic", basic);
        if (name != null) {
            device.set("name", name);
        }
    }

    /** Removes Go's zero values: null, empty strings and lists, 0, and {@code allNodes: false} of a slice. Empty objects are kept. */
    private static JsonNode pruned(JsonNode json) {
        JsonNode copy = json.deepCopy();
        prune(copy);
        if (copy.path("spec").path("allNodes").isBoolean()
                && !copy.at("/spec/allNodes").asBoolean()) {
            ((ObjectNode) copy.path("spec")).remove("allNodes");
        }
        return copy;
    }

    private static void prune(JsonNode json) {
        json.forEach(OlderVersionTest::prune);
        if (json instanceof ObjectNode object) {
            var names = new ArrayList<String>();
            object.fieldNames().forEachRemaining(names::add);
            names.removeIf(name -> !isNone(object.get(name)));
            object.remove(names);
        }
    }

    private static boolean isNone(JsonNode value) {
        return value.isNull()
                || (value.isTextual() && value.asText().isEmpty())
                || (value.isArray() && value.isEmpty())
                || (value.isNumber() && value.asLong() == 0);
    }
}
