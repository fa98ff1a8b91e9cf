package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fakegpu.testing.ProjectFiles;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionTest {

    private static List<String> fakegpu(String... args) {
        var out = new StringWriter();
        int exit = FakeGpuCommand.commandLine().setOut(new PrintWriter(out)).execute(args);
        assertThat(exit).isZero();
        return out.toString().lines().toList();
    }

    /** The script for zsh is that of bash, so bash can run both; zsh and fish are tested if they are installed. */
    @ParameterizedTest
    @CsvSource({"bash, bash", "zsh, bash", "zsh, zsh", "fish, fish"})
    void scriptsAreValid(String script, String shell, @TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(isInstalled(shell), shell + " is not installed");
        Path file = folder.resolve("completion");
        Files.write(file, fakegpu("completion", script));

        assertIsValid(shell, file);
        assertThat(file).content().contains("what-if", "free");
    }

    private static boolean isInstalled(String shell) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, shell)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hack/kubectl-fakegpu", "hack/kubectl_complete-fakegpu"})
    void launchersAreValid(String script) throws IOException, InterruptedException {
        assertThat(Files.isExecutable(ProjectFiles.resolve(script))).isTrue();
        assertIsValid("bash", ProjectFiles.resolve(script));
    }

    private static void assertIsValid(String shell, Path script) throws IOException, InterruptedException {
        Process parser =
                new ProcessBuilder(shell, "-n", script.toString()).inheritIO().start();
        assertThat(parser.waitFor()).as("%s", script).isZero();
    }

    @Test
    void fishKnowsCommandsOptionsAndValues() {
        assertThat(fakegpu("completion", "fish"))
                .anyMatch(line -> line.startsWith("complete -c fakegpu -n __fish_use_subcommand -f -a who -d "))
                .anyMatch(line ->
                        line.startsWith("complete -c fakegpu -n '__fish_seen_subcommand_from who' -s g -l group-by -r")
                                && line.contains("'gpu node namespace claim pod'"));
    }

    @Test
    void kubectlGetsCandidatesAndADirective() {
        assertThat(fakegpu("__complete", "wh")).containsExactly("what-if", "who", ":4");
        assertThat(fakegpu("__complete", "who", "--fr")).containsExactly("--free", "--from", ":4");
        assertThat(fakegpu("__complete", "who", "-g", "na")).containsExactly("namespace", ":4");
        assertThat(fakegpu("__complete", "who", "--from", "x")).containsExactly(":0");
    }

    @Test
    void namesThatOnlyTheClusterHasAreCompleted() {
        String state = "src/test/resources/golden/cli/who/cluster.yaml";

        assertThat(fakegpu("__complete", "who", "--from", state, "--free", ""))
                .contains("gpu.vendor.example", "vgpu-20c");
        assertThat(fakegpu("__complete", "who", "--from", state, "--free", "vg"))
                .containsExactly("vgpu-20c", ":4");
        assertThat(fakegpu("__complete", "what-if", "--from", state, "-n", "team-a", "--without", "pod/t"))
                .contains("pod/train-0")
                .allMatch(line -> line.startsWith("pod/t") || line.equals(":4"));
        assertThat(fakegpu("__complete", "metadata", "--from", state, "-n", "team-a", "tr"))
                .contains("train-0");
        assertThat(fakegpu("__complete", "who", "--from", "no-such-file", "--free", "vg"))
                .as("a shell has no place for a message")
                .containsExactly(":0");
    }
}
