package dev.fakegpu.cluster.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.testing.ClusterYaml;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the mistakes in {@code versions.yaml} are refused as each version of Kubernetes does. */
class VersionedValidationTest {

    @TestFactory
    Stream<DynamicTest> eachVersionRefusesMistakesWithItsErrors() throws IOException {
        JsonNode known = ValidationCases.read("refused.yaml").path("objects");
        JsonNode cases = ValidationCases.read("versions.yaml");
        return cases.path("mistakes").valueStream().flatMap(mistake -> {
            String name = mistake.path("in").asText();
            JsonNode object = cases.path("objects").has(name) ? cases.path("objects") : known;
            JsonNode mistaken = ValidationCases.mistaken(object.path(name), mistake);
            return mistake.path("refused").properties().stream()
                    .flatMap(refused -> Stream.of(refused.getKey().split(" "))
                            .map(VersionedValidationTest::version)
                            .map(version -> DynamicTest.dynamicTest(
                                    version + " " + name + " " + mistake.path("set"),
                                    () -> assertThat(sentences(mistaken, version))
                                            .containsExactlyInAnyOrderElementsOf(texts(refused.getValue())))));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # counters of the set | devices | counters of each device, of the last one | errors
            32 | 32  | 32 | 32 |
            33 | 1   | 32 | 32 | spec.sharedCounters 33
            33 | 1   | 33 | 33 | spec.sharedCounters 33, spec.devices[0] 33
            32 | 33  | 32 | 1  | spec.devices 1025
            32 | 128 | 1  | 1  |
            """)
    void counterTotalsOf134AreLimited(int inSet, int devices, int ofEach, int ofLast, @Nullable String errors) {
        JsonNode slice = slice(
                "[{name: card-0, counters: {%s}}]".formatted(counters(inSet)),
                devices,
                i -> "consumesCounters: [{counterSet: card-0, counters: {%s}}]"
                        .formatted(counters(i == devices - 1 ? ofLast : ofEach)));

        assertThat(sentences(slice, version("1.34")))
                .extracting(
                        sentence -> sentence.replace(": Invalid value: ", " ").split(":", 2)[0])
                .containsExactlyInAnyOrder(errors == null ? new String[0] : errors.split(", "));
    }

    @ParameterizedTest
    @CsvSource({
        "1.34, 128, true",
        "1.34, 129, false",
        "1.35, 64, true",
        "1.35, 65, false",
        "1.37, 64, true",
        "1.37, 65, false"
    })
    void devicesOfSlicesWithTaintsOrCountersAreLimited(String version, int devices, boolean areAccepted) {
        String tooMany = "spec.devices: Too many: " + devices;
        for (String field : List.of(
                "taints: [{key: a, effect: NoSchedule}]",
                "consumesCounters: [{counterSet: card-0, counters: {c0: {value: 1}}}]")) {
            List<String> sentences = sentences(slice("", devices, i -> i == 0 ? field : ""), version(version));

            assertThat(sentences.stream().noneMatch(sentence -> sentence.startsWith(tooMany)))
                    .as(field)
                    .isEqualTo(areAccepted);
        }
    }

    private static String counters(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> "c" + i + ": {value: 1}")
                .collect(Collectors.joining(", "));
    }

    private static JsonNode slice(String counterSets, int devices, IntFunction<String> device) {
        String all = IntStream.range(0, devices)
                .mapToObj(i -> "{name: gpu-%d, %s}".formatted(i, device.apply(i)))
                .collect(Collectors.joining(", "));
        return ClusterYaml.json("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: a}
                spec:
                  driver: gpu.example.com
                  pool: {name: a, generation: 1, resourceSliceCount: 1}
                  allNodes: true
                  sharedCounters: %s
                  devices: [%s]
                """.formatted(counterSets, all)).get(0);
    }

    private static KubernetesVersion version(String text) {
        return Arrays.stream(KubernetesVersion.values())
                .filter(version -> version.toString().equals(text))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> sentences(JsonNode object, KubernetesVersion version) {
        return ManifestValidation.of(object, KnownKind.of(object).orElseThrow().type(), version)
                .sentences("");
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }
}
