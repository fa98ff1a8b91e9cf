package dev.fakegpu.hardware.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import dev.fakegpu.testing.CorpusFiles;
import dev.fakegpu.testing.DocsFakeGpus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A corpus of valid and invalid FakeGpus. Invalid ones are rejected either by the schema of the CRD, which needs an API server, or by the
 * planner, which this test runs. The first lines of an invalid FakeGpu say what rejects it and list all expected messages. {@code
 * -Dgolden.update=true} rewrites the planner's messages; review them.
 */
class FakeGpuCorpusTest {

    private static final Path CORPUS = Path.of("src/test/resources/corpus/fakegpu");

    @TestFactory
    Stream<DynamicTest> validFakeGpusAreAcceptedAndPlanned() throws IOException {
        return files("valid-")
                .map(file -> DynamicTest.dynamicTest(name(file), () -> {
                    FakeGpu fakeGpu = read(file);

                    assertThat(check(fakeGpu)).isEmpty();
                    assertThat(Specs.PLANNER
                                    .plan(
                                            fakeGpu.getSpec(),
                                            fakeGpu.getMetadata().getName(),
                                            "node-1")
                                    .devices())
                            .isNotEmpty();
                }));
    }

    @TestFactory
    Stream<DynamicTest> invalidFakeGpusAreRefusedWithTheExpectedMessage() throws IOException {
        return files("invalid-")
                .filter(file -> header(file, "by").equals("check"))
                .map(file -> DynamicTest.dynamicTest(name(file), () -> {
                    List<String> problems = check(read(file));

                    assertThat(problems).hasSize(1);
                    if (Boolean.getBoolean("golden.update")) {
                        CorpusFiles.expect(file, problems.get(0));
                    }
                    assertThat(problems).containsExactly(header(file, "expect"));
                }));
    }

    /** The planner must not throw exceptions for specs that the schema would reject. */
    @TestFactory
    Stream<DynamicTest> theCheckDoesNotFailOnWhatTheSchemaRejects() throws IOException {
        return files("invalid-")
                .filter(file -> header(file, "by").equals("schema"))
                .filter(FakeGpuCorpusTest::isReadable)
                .map(file -> DynamicTest.dynamicTest(
                        name(file),
                        () -> assertThatCode(() -> check(read(file))).doesNotThrowAnyException()));
    }

    @TestFactory
    Stream<DynamicTest> invalidFilesSayWhatRejectsThemAndHow() throws IOException {
        return files("invalid-")
                .map(file -> DynamicTest.dynamicTest(name(file), () -> {
                    assertThat(header(file, "by")).isIn("check", "schema");
                    assertThat(header(file, "expect")).isNotBlank();
                }));
    }

    @TestFactory
    Stream<DynamicTest> fakeGpusOfTheDocumentationAreAccepted() {
        return DocsFakeGpus.all().stream()
                .map(shown -> DynamicTest.dynamicTest(
                        shown.where(),
                        () -> assertThat(check(Serialization.unmarshal(shown.yaml(), FakeGpu.class)))
                                .isEmpty()));
    }

    private static List<String> check(FakeGpu fakeGpu) {
        return Specs.PLANNER.check(fakeGpu.getSpec(), fakeGpu.getMetadata().getName()).stream()
                .map(SpecProblem::sentence)
                .toList();
    }

    private static FakeGpu read(Path file) throws IOException {
        return Serialization.unmarshal(Files.readString(file), FakeGpu.class);
    }

    /** Some FakeGpus have a string instead of a number and cannot be parsed. */
    private static boolean isReadable(Path file) {
        try {
            return read(file).getSpec() != null;
        } catch (IOException | IllegalArgumentException | KubernetesClientException e) {
            return false;
        }
    }

    private static String header(Path file, String key) {
        return CorpusFiles.header(file, key);
    }

    private static Stream<Path> files(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.filter(file -> name(file).startsWith(prefix)).sorted().toList().stream();
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
