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
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Applies the corpus of FakeGpus with a running operator: for every kind of invalid input, the operator reports the error and keeps
 * working.
 */
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
    void invalidFakeGpusAreRefusedAndAffectNoOthers() {
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
    void validFakeGpusArePublished() {
        // Given
        fakeGpus.createNode("node-1", Map.of());

        // When, then
        createAll("valid-", (name, file) -> {
            // One after the other, because the largest FakeGpus are published in hundreds of slices.
            fakeGpus.awaitCondition(name, "Accepted", "True");
            if (!ProjectFiles.read(file).contains("simulated:")
                    && !ProjectFiles.read(file).contains("selector:")) {
                fakeGpus.awaitCondition(name, "Published", "True");
                assertThat(fakeGpus.storedSlices(name)).as("%s", file).isNotEmpty();
            }
        });
    }

    /** Tests with the gate on; {@link SlicesE2E} tests with the gate off. */
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
     * Simulates a rollback of only the operator: the definition, which others may manage, and the stored objects are those of a newer
     * version.
     */
    @Test
    void fieldsOfANewerVersionStayAsLongAsItsDefinitionDoes() {
        // Given
        fakeGpus.createNode("node-1", Map.of());
        fakeGpus.create("newer", "{nodes: {names: [node-1]}, model: L40S, count: 2}");
        fakeGpus.awaitReady("newer");
        defineNewerFields(true);
        fakeGpus.await(() -> {
            fakeGpus.patchSpec("newer", "{\"newer\": \"asked\"}");
            fakeGpus.patchStatus("newer", "{\"newer\": \"seen\"}");
            assertThat(newerFields()).containsExactly("asked", "seen");
        });

        // When
        fakeGpus.patchSpec("newer", "{\"count\": 3}");
        fakeGpus.awaitReady("newer");

        // Then
        assertThat(devices("newer")).isEqualTo(3);
        assertThat(newerFields()).containsExactly("asked", "seen");

        // When the definition is rolled back, too, which prunes the fields, and when it is upgraded again
        defineNewerFields(false);
        fakeGpus.await(() -> assertThat(newerFields()).containsOnlyNulls());
        fakeGpus.patchSpec("newer", "{\"count\": 4}");
        fakeGpus.awaitReady("newer");
        defineNewerFields(true);
        fakeGpus.patchSpec("newer", "{\"count\": 5}");
        fakeGpus.awaitReady("newer");

        // Then
        assertThat(devices("newer")).isEqualTo(5);
        defineNewerFields(false);
    }

    private long devices(String name) {
        return fakeGpus.slices(name).stream()
                .mapToLong(slice -> slice.devices().size())
                .sum();
    }

    /** Applies the definition with a field of a newer version in spec and status, or without them. */
    private static void defineNewerFields(boolean are) {
        cluster.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("fakegpus.fakegpu.dev")
                .edit(definition -> {
                    var properties = definition
                            .getSpec()
                            .getVersions()
                            .get(0)
                            .getSchema()
                            .getOpenAPIV3Schema()
                            .getProperties();
                    List.of("spec", "status").forEach(part -> {
                        var fields = properties.get(part).getProperties();
                        if (are) {
                            fields.put(
                                    "newer",
                                    new JSONSchemaPropsBuilder()
                                            .withType("string")
                                            .build());
                        } else {
                            fields.remove("newer");
                        }
                    });
                    return definition;
                });
    }

    /** The values of the fields in spec and status; null if there is none. */
    private static List<@Nullable Object> newerFields() {
        GenericKubernetesResource stored = cluster.client()
                .genericKubernetesResources("fakegpu.dev/v1alpha1", "FakeGpu")
                .withName("newer")
                .require();
        return Arrays.asList(stored.get("spec", "newer"), stored.get("status", "newer"));
    }

    /**
     * Creates the FakeGpus with unique names, except those that the schema refuses.
     *
     * @param created receives the name and the file of each stored FakeGpu
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
                continue; // another test covers a thousand simulated nodes
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
