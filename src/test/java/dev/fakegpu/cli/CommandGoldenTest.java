package dev.fakegpu.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Each directory has a command line in {@code args}, with its own path as {@code .}, and the expected results: {@code stdout.txt}, {@code
 * stderr.txt} and the exit code in {@code exit.txt}. Standard input is {@code stdin.yaml}, if there is such a file. {@code
 * -Dgolden.update=true} rewrites the results and fails, because they need a review.
 */
class CommandGoldenTest {

    /** Created once, since that takes longer than most commands. */
    private static final CommandLine PROGRAM = FakeGpuCommand.commandLine();

    private static final Path CASES = Path.of("src/test/resources/golden/cli");

    @TestFactory
    Stream<DynamicTest> answersAsWritten() throws IOException {
        try (Stream<Path> cases = Files.list(ProjectFiles.resolve(CASES.toString()))) {
            return cases.sorted().toList().stream()
                    .map(folder -> DynamicTest.dynamicTest(String.valueOf(folder.getFileName()), () -> check(folder)));
        }
    }

    private static void check(Path folder) throws IOException {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] args = Files.readString(folder.resolve("args"))
                .strip()
                .replace("./", folder + "/")
                .split("\\s+");
        InputStream standardInput = System.in;
        System.setIn(
                new ByteArrayInputStream(contents(folder.resolve("stdin.yaml")).getBytes(UTF_8)));
        int exit;
        try {
            exit = PROGRAM.setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(args);
        } finally {
            System.setIn(standardInput);
        }
        Map<Path, String> actual = new LinkedHashMap<>();
        actual.put(folder.resolve("stdout.txt"), out.toString().replace(folder + "/", "./"));
        actual.put(folder.resolve("stderr.txt"), err.toString().replace(folder + "/", "./"));
        actual.put(folder.resolve("exit.txt"), exit + "\n");
        if (Boolean.getBoolean("golden.update")) {
            update(folder, actual);
        }
        for (Map.Entry<Path, String> file : actual.entrySet()) {
            assertThat(file.getValue()).as("%s", file.getKey()).isEqualTo(contents(file.getKey()));
        }
    }

    private static String contents(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static void update(Path folder, Map<Path, String> actual) throws IOException {
        boolean changed = false;
        for (Map.Entry<Path, String> file : actual.entrySet()) {
            changed |= !file.getValue().equals(contents(file.getKey()));
            Files.writeString(file.getKey(), file.getValue());
        }
        if (changed) {
            fail(folder + " is written anew; review it and run again without golden.update");
        }
    }

    /** A comment above each example names the file that it was taken from. */
    @Test
    void examplesInTheDocsAreWhatIsAnswered() throws IOException {
        String docs = Files.readString(ProjectFiles.resolve("docs/tools.md"));
        List<MatchResult> examples = Pattern.compile("<!-- (\\S+/\\S+) -->\n```\\w*\n(.*?\n)```", Pattern.DOTALL)
                .matcher(docs)
                .results()
                .toList();

        assertThat(examples).hasSizeGreaterThan(3);
        for (MatchResult example : examples) {
            assertThat(example.group(2))
                    .as(example.group(1))
                    .isEqualTo(contents(ProjectFiles.resolve(CASES + "/" + example.group(1)))
                                    .stripTrailing() + "\n");
        }
    }

    /** The cluster does not have the pods that the scenario expects, but all parts of it can be parsed and played. */
    @Test
    void theScenarioInTheDocsCanBePlayed(@TempDir Path dir) throws IOException {
        // Given
        String scenario = PageBlock.of("docs/tools.md").stream()
                .map(PageBlock::text)
                .filter(text -> text.contains("kind: Scenario\n"))
                .findFirst()
                .orElseThrow();
        Path file = Files.writeString(dir.resolve("scenario.yaml"), scenario);
        Path sample = ProjectFiles.resolve("config/samples/03-groups-keep-incompatible-apart");
        Files.copy(sample.resolve("10.FakeGpu.a100.yaml"), dir.resolve("gpus.yaml"));
        Files.createDirectory(dir.resolve("manifests"));
        Files.copy(sample.resolve("20.Pod.pod-a.yaml"), dir.resolve("manifests/pod.yaml"));

        // When
        var out = new StringWriter();
        int exit = PROGRAM.setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute("simulate", "-f", file.toString());

        // Then
        assertThat(exit).as("%s", out).isEqualTo(2);
    }
}
