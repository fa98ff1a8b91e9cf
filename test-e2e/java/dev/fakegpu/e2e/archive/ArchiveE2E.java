package dev.fakegpu.e2e.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an archive of {@code hack/archives}, which is unpacked to a directory with a blank in its name, and called without Java and without
 * a home directory.
 */
@Tag("long")
class ArchiveE2E {

    @TempDir
    static Path folder;

    private static Path bin;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        Path archives = folder.resolve("archives");
        run(
                ProjectFiles.resolve("hack/archives").getParent(),
                System.getenv(),
                List.of(
                        ProjectFiles.resolve("hack/archives").toString(),
                        "--jdk",
                        System.getProperty("java.home"),
                        "--output",
                        archives.toString()));
        Path unpacked = Files.createDirectory(folder.resolve("with a blank"));
        run(unpacked, System.getenv(), List.of("tar", "-xzf", only(archives).toString()));
        bin = only(unpacked).resolve("bin");
    }

    @Test
    void answersFromAnyDirectory() throws IOException, InterruptedException {
        assertThat(call(folder, Map.of(), bin.resolve("fakegpu"), "--help")).contains("Usage: fakegpu", "explain");
        assertThat(call(Path.of("/"), Map.of(), bin.resolve("fakegpu"), "--version"))
                .startsWith("fakegpu ")
                .doesNotContain("development");
    }

    @Test
    void findsTheFilesOfTheCaller() throws IOException, InterruptedException {
        Path samples = ProjectFiles.resolve("config/samples");

        assertThat(call(samples, Map.of(), bin.resolve("fakegpu"), "simulate", "-f", "kep-5963.scenario.yaml"))
                .contains("Example 4");
    }

    @Test
    void isAPluginOfKubectlAlsoThroughLinks() throws IOException, InterruptedException {
        Path links = Files.createDirectory(folder.resolve("links"));
        Path plugin = Files.createSymbolicLink(links.resolve("kubectl-fakegpu"), bin.resolve("kubectl-fakegpu"));
        Path program = Files.createSymbolicLink(
                links.resolve("fakegpu"), links.relativize(bin).resolve("fakegpu"));

        assertThat(call(links, Map.of(), plugin, "models")).contains("A100-SXM4-40GB");
        assertThat(call(folder, Map.of(), program, "models")).contains("A100-SXM4-40GB");
        assertThat(call(links, Map.of(), bin.resolve("kubectl_complete-fakegpu"), "wh"))
                .contains("who", "what-if");
    }

    @Test
    void archiveHasLicenseAndCompletion() throws IOException, InterruptedException {
        Path home = bin.resolveSibling("");

        assertThat(home.resolve("LICENSE")).hasSameTextualContentAs(ProjectFiles.resolve("LICENSE"));
        assertThat(home.resolve("completion/fakegpu.bash")).content().contains("what-if");
        assertThat(home.resolve("completion/fakegpu.fish")).content().contains("what-if");
    }

    @Test
    void preparesItsClassesForTheNextCall() throws IOException, InterruptedException {
        Path cache = folder.resolve("cache");
        Map<String, String> cached = Map.of("XDG_CACHE_HOME", cache.toString());

        call(folder, cached, bin.resolve("fakegpu"), "--version");

        if (!Files.exists(bin.resolveSibling("app/fakegpu.jsa"))) {
            Awaitility.await()
                    .until(() -> names(cache.resolve("fakegpu")).stream().allMatch(name -> name.endsWith(".jsa")));
            assertThat(names(cache.resolve("fakegpu"))).hasSize(1);
        }
        assertThat(call(folder, cached, bin.resolve("fakegpu"), "models")).contains("A100-SXM4-40GB");
    }

    /** Calls the program without Java on the path and in the environment, and without a home directory unless one is given. */
    private static String call(Path directory, Map<String, String> environment, Path program, String... args)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(program.toString());
        command.addAll(List.of(args));
        Map<String, String> clean = new HashMap<>(environment);
        clean.put("PATH", "/usr/bin:/bin");
        return run(directory, clean, command);
    }

    private static String run(Path directory, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path said = Files.createTempFile(folder, "said", ".txt");
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        int exit = builder.start().waitFor();
        String text = Files.readString(said);
        assertThat(exit).as("%s: %s", command, text).isZero();
        return text;
    }

    private static Path only(Path directory) throws IOException {
        return directory.resolve(names(directory).get(0));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName())).toList();
        }
    }
}
