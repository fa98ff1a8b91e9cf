package dev.fakegpu.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * FakeGpus that are published, and FakeGpus that are refused: by the CRD's schema, which needs an API server, or by the planner,
 * which is asked here. The first lines of a refused one say by whom and in which words.
 */
class FakeGpuCorpusTest {

    private static final Path CORPUS = Path.of("src/test/resources/corpus/fakegpu");

    @TestFactory
    Stream<DynamicTest> validOnesAreAcceptedAndPlanned() throws IOException {
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
    Stream<DynamicTest> invalidOnesAreRefusedByTheCheckInTheExpectedWords() throws IOException {
        return files("invalid-")
                .filter(file -> header(file, "by").equals("check"))
                .map(file -> DynamicTest.dynamicTest(
                        name(file),
                        () -> assertThat(check(read(file)))
                                .singleElement()
                                .asString()
                                .startsWith(header(file, "expect"))));
    }

    @TestFactory
    Stream<DynamicTest> invalidOnesSayWhoRefusesThemAndHow() throws IOException {
        return files("invalid-")
                .map(file -> DynamicTest.dynamicTest(name(file), () -> {
                    assertThat(header(file, "by")).isIn("check", "schema");
                    assertThat(header(file, "expect")).isNotBlank();
                }));
    }

    private static List<String> check(FakeGpu fakeGpu) {
        return Specs.PLANNER.check(fakeGpu.getSpec(), fakeGpu.getMetadata().getName()).stream()
                .map(SpecProblem::sentence)
                .toList();
    }

    private static FakeGpu read(Path file) throws IOException {
        return Serialization.unmarshal(Files.readString(file), FakeGpu.class);
    }

    /** What follows {@code # <key>:} in the comments at the top. */
    private static String header(Path file, String key) {
        String prefix = "# " + key + ": ";
        try (Stream<String> lines = Files.lines(file)) {
            return lines.takeWhile(line -> line.startsWith("#"))
                    .filter(line -> line.startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(file + " has no line \"" + prefix + "...\""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
