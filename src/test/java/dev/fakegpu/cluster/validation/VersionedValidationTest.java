package dev.fakegpu.cluster.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

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
