package dev.fakegpu.operator.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreparedDriversTest {

    @TempDir
    Path root;

    @Test
    void findsDriversWithPreparedClaimsAndNoneOfOthers() throws IOException {
        // Given
        store("gpu.example.com", Checkpoint.of(List.of(Claims.prepared("a", "gpu-0"))));
        store("released.example.com", Checkpoint.EMPTY);
        Path ofOthers = Files.createDirectories(root.resolve("plugins/csi.example.com"));
        Files.writeString(ofOthers.resolve("checkpoint"), "{}");

        // When
        var found = PreparedDrivers.find(root, this::paths);

        // Then
        assertThat(found).containsExactly("gpu.example.com");
        assertThat(ofOthers).isDirectoryContaining("glob:**/checkpoint").isDirectoryNotContaining("glob:**/*.lock");
    }

    /** The CDI files are gone as well, so there is no record of prepared devices. */
    @Test
    void aDamagedCheckpointIsReadAsThePluginDoes() throws IOException {
        Files.writeString(store("gpu.example.com", Checkpoint.EMPTY), "damaged");

        assertThat(PreparedDrivers.find(root, this::paths)).isEmpty();
        assertThat(paths("gpu.example.com").data().resolve("checkpoint.corrupt"))
                .content(UTF_8)
                .isEqualTo("damaged");
    }

    @Test
    void aNodeWithoutPluginsHasNone() throws IOException {
        assertThat(PreparedDrivers.find(root, this::paths)).isEmpty();
    }

    private Path store(String driver, Checkpoint checkpoint) throws IOException {
        var paths = paths(driver);
        Files.createDirectories(paths.data());
        try (var state = NodeState.open(paths)) {
            state.tidy();
        }
        return Files.write(paths.data().resolve("checkpoint"), checkpoint.encode());
    }

    private PluginPaths paths(String driver) {
        try {
            return new PluginPaths(root, Files.createDirectories(root.resolve("cdi")), driver, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
