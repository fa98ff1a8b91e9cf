package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cluster.validation.ApiValidation;
import dev.fakegpu.dra.ApiJson;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the objects in {@code test-e2e/hostile} as far as possible without a cluster. */
class HostileObjectsTest {

    private static final ObjectMapper JSON = new ObjectMapper(ApiJson.factory(20_000));

    /**
     * The API server stores these objects, but {@code simulate} and {@code check} refuse them, since an evaluation would be too expensive.
     */
    private static final Set<String> BEYOND_OWN_LIMITS =
            Set.of("selector-format-precision", "selector-regex-expanded", "selector-regex-slow");

    static Stream<Path> files() throws IOException {
        return ProjectFiles.list("test-e2e/hostile").stream();
    }

    /** An object that is not stored is harmless. */
    @ParameterizedTest
    @MethodSource("files")
    void apiServerStoresTheObject(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);

        assertThat(lines.get(0)).matches("# \\S.*[.)]");
        assertThat(ApiValidation.errors(object(file)).isEmpty()).isEqualTo(!BEYOND_OWN_LIMITS.contains(name(file)));
    }

    @Test
    void objectsHaveDifferentNames() throws IOException {
        var names = new HashSet<String>();

        assertThat(files().map(HostileObjectsTest::object)
                        .map(object -> object.path("kind").asText() + " "
                                + object.path("metadata").path("namespace").asText() + " "
                                + object.path("metadata").path("name").asText())
                        .filter(name -> !names.add(name)))
                .isEmpty();
    }

    private static JsonNode object(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return JSON.readTree(lines.filter(line -> !line.startsWith("#"))
                    .collect(Collectors.joining("\n"))
                    .replace("\"NAME\"", '"' + name(file) + '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".json", "");
    }
}
