package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.testing.CommandLine;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.DocsManifests;
import dev.fakegpu.testing.DocsManifests.Shown;
import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.dsl.FieldValidateable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a real API server would store every object in pages and samples, without unknown fields. The tests that run the pages show the
 * effects of these objects.
 */
class DocsManifestsIT {

    /** All objects are sent to {@code default}, including those of a sample whose namespace may have admin access. */
    private static final Map<String, Map<String, String>> NAMESPACES =
            Map.of("fakegpu-system", Map.of(), "default", Map.of("resource.kubernetes.io/admin-access", "true"));

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    @TempDir
    private Path dir;

    @BeforeAll
    static void prepare() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        NAMESPACES.forEach((name, labels) -> {
            var namespace = new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withLabels(labels)
                    .endMetadata();
            controlPlane.client().resource(namespace.build()).serverSideApply();
        });
    }

    @TestFactory
    Stream<DynamicTest> objectsOfPagesAreAccepted() {
        return DocsManifests.all().stream().map(shown -> accepted(shown.where(), shown.yaml()));
    }

    @TestFactory
    Stream<DynamicTest> objectsOfSamplesAreAccepted() throws IOException {
        try (Stream<Path> files = Files.walk(ProjectFiles.resolve("config/samples"))) {
            return files.filter(file -> file.toString().matches(".*/\\d\\d\\.[^/]*\\.yaml")).sorted().toList().stream()
                    .flatMap(DocsManifestsIT::objects)
                    .map(shown -> accepted(shown.where(), shown.yaml()));
        }
    }

    /** Builds the file whose {@code resources} and {@code components} are in a clone beside it. */
    @Test
    void theKustomizationOfThePageCanBeBuilt() throws IOException {
        PageBlock block = PageBlock.of("docs/install.md").stream()
                .filter(shown -> shown.text().startsWith("# kustomization.yaml\n"))
                .findFirst()
                .orElseThrow();
        Files.createSymbolicLink(
                dir.resolve("fakegpu-operator"), ProjectFiles.resolve("pom.xml").getParent());
        Files.writeString(dir.resolve("kustomization.yaml"), block.text());

        String built = new CommandLine(controlPlane.kubeconfig())
                .kubectl("kustomize", "--load-restrictor=LoadRestrictionsNone", dir.toString())
                .succeeded();

        assertThat(built)
                .contains("image: registry.example.com/fakegpu-operator:dev", "kind: DaemonSet", "kind: ServiceMonitor")
                .doesNotContain("image: fakegpu-operator");
    }

    private static Stream<Shown> objects(Path file) {
        try {
            return Stream.of(Files.readString(file).split("(?m)^---\n"))
                    .map(yaml ->
                            new Shown(String.valueOf(file.getParent().getFileName()) + "/" + file.getFileName(), yaml));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static DynamicTest accepted(String where, String yaml) {
        return DynamicTest.dynamicTest(
                where, () -> assertThatCode(() -> dryRun(yaml)).as(yaml).doesNotThrowAnyException());
    }

    private static void dryRun(String yaml) {
        var client =
                controlPlane.client().adapt(NamespacedKubernetesClient.class).inNamespace("default");
        client.resource(client.getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class))
                .dryRun()
                .fieldValidation(FieldValidateable.Validation.STRICT)
                .create();
    }
}
