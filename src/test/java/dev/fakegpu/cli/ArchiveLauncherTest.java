package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the launcher of archives, with a fake Java that only creates the file that it is told to create. */
class ArchiveLauncherTest {

    private static final String JAVA = """
            #!/bin/sh
            for arg; do
              case $arg in -XX:SharedArchiveFile=*.new/jsa) : >"${arg#*=}" ;; esac
            done
            """;

    @TempDir
    private Path folder;

    private Path cache;

    @BeforeEach
    void unpack() throws IOException {
        cache = folder.resolve("cache/fakegpu");
        Path java = folder.resolve("runtime/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, JAVA);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.createDirectories(folder.resolve("bin"));
        Files.copy(ProjectFiles.resolve("deploy/archive/fakegpu"), folder.resolve("bin/fakegpu"));
    }

    @Test
    void launcherPreparesClassesAgainAfterAKill() throws Exception {
        call();
        await().untilAsserted(() ->
                assertThat(prepared()).hasSize(1).first().asString().endsWith(".jsa"));
        Path classes = cache.resolve(prepared().get(0));
        Files.delete(classes);
        Path unfinished = Files.createDirectory(cache.resolve(classes.getFileName() + ".new"));
        Files.createFile(unfinished.resolve("jsa"));
        Path ofOtherBuild = Files.createDirectory(cache.resolve("other.jsa.new"));
        call();
        assertThat(prepared()).as("perhaps still being prepared").hasSize(2);

        makeOld(unfinished);
        makeOld(ofOtherBuild);
        call();

        await().untilAsserted(() ->
                assertThat(prepared()).containsExactly(classes.getFileName().toString()));
    }

    private void call() throws IOException, InterruptedException {
        var program =
                new ProcessBuilder("/bin/sh", folder.resolve("bin/fakegpu").toString(), "--version");
        program.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        assertThat(program.start().waitFor()).isZero();
    }

    private static void makeOld(Path path) throws IOException {
        Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(1, ChronoUnit.HOURS)));
    }

    private List<String> prepared() throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
