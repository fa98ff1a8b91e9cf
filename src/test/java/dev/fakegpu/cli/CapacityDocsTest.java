package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests that the commands in docs/capacity.md print what the page shows, where {@code …} matches any text. */
class CapacityDocsTest {

    private static final String PAGE = "docs/capacity.md";
    private static final String FILES = "src/test/resources/golden/cli/plan-capacity";
    private static final String PROMPT = "$ hack/fakegpu ";

    @TempDir
    private Path dir;

    @Test
    void commandsPrintTheOutputOnThePage() throws IOException {
        List<String> blocks = PageBlock.of(PAGE).stream()
                .map(PageBlock::text)
                .filter(text -> text.startsWith(PROMPT))
                .toList();

        assertThat(blocks).hasSize(4);
        for (String block : blocks) {
            for (String command : block.split("(?m)^" + Pattern.quote(PROMPT))) {
                if (!command.isEmpty()) {
                    check(command);
                }
            }
        }
    }

    /** @param command a command, with its output below it */
    private void check(String command) throws IOException {
        int end = command.indexOf('\n');
        String[] line = command.substring(0, end).split(" > ");
        String printed = run(line[0]);
        if (line.length > 1) {
            Files.writeString(dir.resolve(line[1]), printed);
        } else {
            String shown = Arrays.stream(words(command.substring(end)).split("…", -1))
                    .map(part -> Pattern.quote(part.strip()))
                    .collect(Collectors.joining(".*", ".*", ".*"));
            assertThat(words(printed)).as(line[0]).matches(shown);
        }
    }

    private String run(String command) {
        String[] args = Arrays.stream(command.split("[ ]"))
                .map(word -> Arrays.stream(word.split(",")).map(this::file).collect(Collectors.joining(",")))
                .toArray(String[]::new);
        var out = new StringWriter();
        CommandLine program = FakeGpuCommand.commandLine();
        program.setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(args);
        return out.toString();
    }

    private String file(String word) {
        Path made = dir.resolve(word);
        Path given = ProjectFiles.resolve(FILES).resolve(word);
        return !word.endsWith(".yaml") ? word : Files.exists(made) ? made.toString() : given.toString();
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
