package dev.fakegpu.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.CorpusFiles;
import dev.fakegpu.testing.DocsFakeGpus;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sends the corpus of FakeGpus to a real API server. The API server accepts valid ones, rejects those that violate the schema of the CRD,
 * and accepts those that only the operator's check rejects. {@code dev.fakegpu.hardware.inventory.FakeGpuCorpusTest} runs that check.
 */
class FakeGpuCorpusIT {

    private static final int UNPROCESSABLE = 422;

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    @BeforeAll
    static void define() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
    }

    @TestFactory
    Stream<DynamicTest> validFakeGpusAreAccepted() {
        return corpus("valid-").map(file -> DynamicTest.dynamicTest(name(file), () -> assertAccepted(file)));
    }

    /** {@code -Dgolden.update=true} rewrites the expected messages; review them. */
    @TestFactory
    Stream<DynamicTest> invalidFakeGpusAreRefusedWithTheExpectedMessage() {
        return corpus("invalid-")
                .filter(file -> header(file, "by").equals("schema"))
                .map(file -> DynamicTest.dynamicTest(name(file), () -> {
                    var refusal = catchThrowableOfType(KubernetesClientException.class, () -> dryRun(file));

                    assertThat(refusal).isNotNull();
                    assertThat(refusal.getCode()).isEqualTo(UNPROCESSABLE);
                    String message = refusal.getStatus().getMessage();
                    if (Boolean.getBoolean("golden.update")) {
                        CorpusFiles.expect(file, message);
                    }
                    assertThat(message).isEqualTo(header(file, "expect"));
                }));
    }

    /** Otherwise the operator's check would be redundant. */
    @TestFactory
    Stream<DynamicTest> schemaAcceptsFakeGpusThatOnlyTheCheckRejects() {
        return corpus("invalid-")
                .filter(file -> header(file, "by").equals("check"))
                .map(file -> DynamicTest.dynamicTest(name(file), () -> assertAccepted(file)));
    }

    @TestFactory
    Stream<DynamicTest> goldenFakeGpusAreAccepted() {
        return list("src/test/resources/golden/slices")
                .map(folder ->
                        DynamicTest.dynamicTest(name(folder), () -> assertAccepted(folder.resolve("in-fakegpu.yaml"))));
    }

    /** The manifests that the documentation tells users to apply. */
    @TestFactory
    Stream<DynamicTest> samplesAndScenariosAreAccepted() {
        return Stream.concat(
                        list("config/samples").filter(Files::isDirectory).flatMap(folder -> files(folder)),
                        list("test-e2e/scenarios"))
                .filter(FakeGpuCorpusIT::isFakeGpu)
                .map(file ->
                        DynamicTest.dynamicTest(name(file.getParent()) + "/" + name(file), () -> assertAccepted(file)));
    }

    @TestFactory
    Stream<DynamicTest> fakeGpusOfTheDocumentationAreAccepted() {
        return DocsFakeGpus.all().stream()
                .map(shown -> DynamicTest.dynamicTest(
                        shown.where(),
                        () -> assertThatCode(() -> dryRun(shown.yaml())).doesNotThrowAnyException()));
    }

    private static void assertAccepted(Path file) {
        assertThatCode(() -> dryRun(file)).doesNotThrowAnyException();
    }

    private static void dryRun(Path file) {
        dryRun(ProjectFiles.read(file));
    }

    /** Sends the raw documents of the manifest, because the API's classes would drop unknown fields. */
    private static void dryRun(String manifest) {
        for (String document : manifest.split("(?m)^---$")) {
            controlPlane
                    .client()
                    .resource(controlPlane
                            .client()
                            .getKubernetesSerialization()
                            .unmarshal(document, GenericKubernetesResource.class))
                    .dryRun()
                    .create();
        }
    }

    /** FakeGpus in a scenario are nested; {@code ScenariosE2E} applies those. */
    private static boolean isFakeGpu(Path file) {
        return name(file).endsWith(".yaml") && ProjectFiles.read(file).contains("\nkind: FakeGpu");
    }

    private static String header(Path file, String key) {
        return CorpusFiles.header(file, key);
    }

    private static Stream<Path> corpus(String prefix) {
        List<Path> files = list("src/test/resources/corpus/fakegpu")
                .filter(file -> name(file).startsWith(prefix))
                .toList();
        assertThat(files).as(prefix).isNotEmpty();
        return files.stream();
    }

    private static Stream<Path> list(String folder) {
        return files(ProjectFiles.resolve(folder));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
