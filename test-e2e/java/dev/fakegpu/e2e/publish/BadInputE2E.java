package dev.fakegpu.e2e.publish;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.CorpusFiles;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The corpus of FakeGpuFixture against a running operator: whatever people write, it says what is wrong and goes on. */
@Tag("long")
class BadInputE2E {

    private static final String NAME_IN_FILES = "sample";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.with(ControlPlaneOptions.apiServerOnly()
            .featureGates(
                    "DRADeviceCompatibilityGroups=true,DRAListTypeAttributes=true,DRAPartitionableDevicesType=true,"
                            + "DRAResourcePoolStatus=true,DRAOptionalNodeOperations=true"));

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @Test
    void everyInvalidOneIsRefusedInItsOwnWordsAndDisturbsNoOther() {
        // Given
        fakeGpus.createNode("node-1", Map.of());
        fakeGpus.create("healthy", "{nodes: {names: [node-1]}, model: L40S, count: 2}");
        fakeGpus.awaitReady("healthy");
        var before = FakeGpuFixture.versions(fakeGpus.storedSlices("healthy"));

        // When
        Map<String, Path> stored = createAll("invalid-", (name, file) -> {});

        // Then
        assertThat(stored).hasSizeGreaterThan(100);
        stored.forEach((name, file) -> {
            var refused = fakeGpus.awaitCondition(name, "Accepted", "False");
            assertThat(refused)
                    .condition("Accepted")
                    .message()
                    .as("%s", file)
                    .isEqualTo(CorpusFiles.header(file, "expect").replace(NAME_IN_FILES, name));
            assertThat(fakeGpus.storedSlices(name)).as("%s", file).isEmpty();
        });
        assertThat(FakeGpuFixture.versions(fakeGpus.storedSlices("healthy"))).isEqualTo(before);
        fakeGpus.create("later", "{nodes: {names: [node-1]}, model: L40S}");
        fakeGpus.awaitReady("later");
    }

    @Test
    void everyValidOneForThatNodeIsPublished() {
        // Given
        fakeGpus.createNode("node-1", Map.of());

        // When, then
        createAll("valid-", (name, file) -> {
            // One after the other: the largest of them are published in hundreds of slices.
            fakeGpus.awaitCondition(name, "Accepted", "True");
            if (!ProjectFiles.read(file).contains("simulated:")
                    && !ProjectFiles.read(file).contains("selector:")) {
                fakeGpus.awaitCondition(name, "Published", "True");
                assertThat(fakeGpus.storedSlices(name)).as("%s", file).isNotEmpty();
            }
        });
    }

    /** With the gate on; {@link SlicesE2E} has it off. */
    @Test
    void numaNodesAreStoredAsLists() {
        fakeGpus.create(
                "lists", "{nodes: {simulated: {count: 1}}, model: L40S, count: 2, topology: {numaNodeFormat: List}}");

        assertThat(fakeGpus.awaitReady("lists")).condition("FieldsServed").hasReason("Served");
        assertThat(fakeGpus.slices("lists").stream().flatMap(slice -> slice.devices().stream()))
                .extracting(device -> device.attributes().get("resource.kubernetes.io/numaNode"))
                .containsExactly(AttributeValue.ints(List.of(0L)), AttributeValue.ints(List.of(1L)));
    }

    /**
     * Under names of their own; what the schema refuses is not stored.
     *
     * @param created receives the name and the file of each that is stored
     */
    private Map<String, Path> createAll(String prefix, BiConsumer<String, Path> created) {
        var stored = new LinkedHashMap<String, Path>();
        for (Path file : files(prefix)) {
            String name = prefix + stored.size();
            var resource = (GenericKubernetesResource) cluster.client()
                    .getKubernetesSerialization()
                    .unmarshal(ProjectFiles.read(file).replace(NAME_IN_FILES, name), GenericKubernetesResource.class);
            if (prefix.equals("valid-")
                    && resource.<Map<String, ?>>get("spec").toString().contains("count=1000")) {
                continue; // a thousand simulated nodes are the business of another test
            }
            try {
                fakeGpus.create(resource);
                stored.put(resource.getMetadata().getName(), file);
            } catch (KubernetesClientException e) {
                assertThat(CorpusFiles.header(file, "by")).as("%s: %s", file, e).isEqualTo("schema");
                continue;
            }
            created.accept(resource.getMetadata().getName(), file);
        }
        return stored;
    }

    private static List<Path> files(String prefix) {
        try (Stream<Path> files = Files.list(ProjectFiles.resolve("src/test/resources/corpus/fakegpu"))) {
            return files.filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
